// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/connected_twin.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <type_traits>
#include <typeindex>

#include "hw/bundles/signals.h"

namespace g80 {
namespace {

using Connections = std::vector<std::unique_ptr<Connection>>;

/// How a port is found among the pins: `name` of the port, or of the array it is element `index` of.
struct Place {
  std::string name;
  int index = -1;

  /// access_i: access_valid_i
  std::string with(const char* middle, char direction) const {
    return name.substr(0, name.size() - 2) + middle + '_' + direction;
  }
};

template <class T>
void check_width(const Place& place, const Pin& pin) {
  if constexpr (is_bundle<T>) {
    CHECK(pin.at == nullptr || place.index >= 0 || pin.bytes == bytes_of_pin(packed_width<T>()),
          "{}: a bundle of {} bits on a pin of {} bytes", place.name, packed_width<T>(), pin.bytes);
  }
}

template <class T>
class Input final : public Connection {
 public:
  Input(In<T>& port, int index, Pin pin) : port_(port), index_(index), pin_(pin) {}
  void write(Cycle) override {
    if constexpr (is_bundle<T>) {
      if (index_ >= 0) return to_element(port_.read(), static_cast<unsigned>(index_), pin_);
    }
    to_pin(port_.read(), pin_);
  }

 private:
  In<T>& port_;
  const int index_;
  const Pin pin_;
};

/// A field of a bundle: launch_i.code_base on the pin launch_code_base_i.
template <class T, class Field>
class InputField final : public Connection {
 public:
  InputField(In<T>& port, std::ptrdiff_t offset, Pin pin) : port_(port), offset_(offset), pin_(pin) {}
  void write(Cycle) override {
    Field field;
    std::memcpy(&field, reinterpret_cast<const char*>(&port_.read()) + offset_, sizeof field);
    pin_.set(field);
  }

 private:
  In<T>& port_;
  const std::ptrdiff_t offset_;
  const Pin pin_;
};

template <class T>
struct FieldPins {
  In<T>& port;
  const Place& place;
  ModelPins& pins;
  Connections& to;
  const T& bundle;
  template <class Field>
  void operator()(const char* name, const Field& field, unsigned = 0) {
    if constexpr (std::is_integral_v<Field>) {
      const Pin pin = pins.take(place.with((std::string("_") + name).c_str(), 'i'));
      const auto offset = reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&bundle);
      if (pin) to.push_back(std::make_unique<InputField<T, Field>>(port, offset, pin));
    }
  }
  template <class Field>
  void stored(const char*, const Field&, unsigned = 0) {}
  template <class Field>
  void unseen(const char*, const Field&) {}
};

template <class T>
class Output final : public Connection {
 public:
  Output(Out<T>& port, int index, Pin pin) : port_(port), index_(index), pin_(pin) {}
  void show(ConnectedTwin& twin) override {
    T value;
    std::memset(static_cast<void*>(&value), 0, sizeof value);  // padding too: wires compare it
    if constexpr (is_bundle<T>) {
      index_ < 0 ? from_pin(pin_, value) : from_element(pin_, static_cast<unsigned>(index_), value);
    } else {
      from_pin(pin_, value);
    }
    twin.show(value, port_);
  }

 private:
  Out<T>& port_;
  const int index_;
  const Pin pin_;
};

template <class T>
class QueueIn final : public Connection {
 public:
  QueueIn(CrossingIn<T>& port, Pin pin, Pin valid, Pin pop) : port_(port), pin_(pin), valid_(valid), pop_(pop) {}
  void write(Cycle edge) override {
    const bool available = port_->available_at(edge);
    valid_.set(available);
    if (available) to_pin(port_->front(), pin_);  // else it does not count
  }
  void at_edge(ConnectedTwin& twin) override { twin.pop(pop_.is_high(), port_); }

 private:
  CrossingIn<T>& port_;
  const Pin pin_, valid_, pop_;
};

template <class T>
class QueueOut final : public Connection {
 public:
  QueueOut(CrossingOut<T>& port, Pin pin, Pin room, Pin all_free, Pin push)
      : port_(port), pin_(pin), room_(room), all_free_(all_free), push_(push) {}
  void write(Cycle edge) override {
    room_.set(port_->can_push_at(edge));
    if (all_free_) all_free_.set(port_->all_free_at(edge));
  }
  void at_edge(ConnectedTwin& twin) override { twin.push(push_.is_high(), pin_, port_); }

 private:
  CrossingOut<T>& port_;
  const Pin pin_, room_, all_free_, push_;
};

template <class T>
void connect_port(In<T>& port, const Place& place, ModelPins& pins, Connections& to) {
  if (const Pin pin = place.index < 0 ? pins.take(place.name) : pins.share(place.name)) {
    check_width<T>(place, pin);
    if (pin.at != nullptr) to.push_back(std::make_unique<Input<T>>(port, place.index, pin));
  } else if constexpr (is_bundle<T>) {
    const T bundle{};
    FieldPins<T> fields{port, place, pins, to, bundle};
    visit_fields(bundle, fields);
  }
}
template <class T>
void connect_port(Out<T>& port, const Place& place, ModelPins& pins, Connections& to) {
  const Pin pin = place.index < 0 ? pins.take(place.name) : pins.share(place.name);
  if (!pin) return;
  check_width<T>(place, pin);
  to.push_back(std::make_unique<Output<T>>(port, place.index, pin));
}
template <class T>
void connect_port(CrossingIn<T>& port, const Place& place, ModelPins& pins, Connections& to) {
  const Pin pin = pins.take(place.name), valid = pins.take(place.with("_valid", 'i'));
  const Pin pop = pins.take(place.with("_pop", 'o'));
  CHECK(pin && valid && pop, "{}: not all pins of a queue", place.name);
  check_width<T>(place, pin);
  to.push_back(std::make_unique<QueueIn<T>>(port, pin, valid, pop));
}
template <class T>
void connect_port(CrossingOut<T>& port, const Place& place, ModelPins& pins, Connections& to) {
  const Pin pin = pins.take(place.name), room = pins.take(place.with("_room", 'i'));
  const Pin push = pins.take(place.with("_push", 'o'));
  CHECK(pin && room && push, "{}: not all pins of a queue", place.name);
  check_width<T>(place, pin);
  to.push_back(std::make_unique<QueueOut<T>>(port, pin, room, pins.take(place.with("_all_free", 'i')), push));
}

using Connect = void (*)(void* port, const Place& place, ModelPins& pins, Connections& to);
template <class Port>
void connect_any(void* port, const Place& place, ModelPins& pins, Connections& to) {
  connect_port(*static_cast<Port*>(port), place, pins, to);
}

/// Of every type of port that blocks have.
const std::map<std::type_index, Connect>& port_types() {
  static const std::map<std::type_index, Connect> types = {
#define PORT(...) {typeid(__VA_ARGS__), connect_any<__VA_ARGS__>},
#define SIGNAL(T) PORT(In<T>) PORT(Out<T>)
#define CROSSING(T) PORT(CrossingIn<T>) PORT(CrossingOut<T>)
      G80_SIGNALS(SIGNAL) SIGNAL(bool) G80_CROSSINGS(CROSSING)
#undef PORT
#undef SIGNAL
#undef CROSSING
  };
  return types;
}

/// read_i_3 is element 3 of read_i; of ahead_i_1 of execution units the pin may be sfu_ahead_i.
Place place_of(const std::string& port, const ModelPins& pins) {
  const std::size_t number = port.rfind('_') + 1;
  if (!std::all_of(port.begin() + static_cast<std::ptrdiff_t>(number), port.end(),
                   [](unsigned char c) { return std::isdigit(c); }))
    return {port};
  const std::string array = port.substr(0, number - 1);
  const auto index = static_cast<unsigned>(std::stoul(port.substr(number)));
  if (pins.find(array) || index >= kExecUnits) return {array, static_cast<int>(index)};
  std::string unit = enum_text(ExecUnit{}).names[index];
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {unit + '_' + array};
}

}  // namespace

void ConnectedTwin::connect() {
  for (sc_core::sc_object* child : block_.get_child_objects()) {
    auto* const port = dynamic_cast<AnyPort*>(child);
    if (port == nullptr) continue;
    const auto type = port_types().find(port->type());
    CHECK(type != port_types().end(), "{}: hw/bundles/signals.h does not list what it carries", child->name());
    type->second(port->port(), place_of(child->basename(), pins_), pins_, connections_);
  }
  clock_pin_ = pins_.take("clock_i");
  issue_pin_ = pins_.take("issue_en_i");
  pins_.take("busy_o");  // of an execution unit: its clock must run, which the observer's `sleep` says, too
  CHECK(pins_.left().empty(), "{}: nothing is connected with the pin {} of its RTL", block_.name(), pins_.left());
}

}  // namespace g80
