// SPDX-License-Identifier: Apache-2.0
// The ports, wires and crossings of every bundle, compiled once.
//
// SystemC's ports are templates with some fifty virtual functions; a source that sees the whole chip would compile them
// for each of forty bundles. Here they are declared as compiled elsewhere: signals.cpp and ports.cpp do it. A bundle
// that is missing in the list works; it only costs time. The headers of the chip's larger parts include this file.
#pragma once
#include <systemc>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/dram_pins.h"
#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/grid_bundles.h"
#include "hw/bundles/host_bundles.h"
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/bundles/link_bundles.h"
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

// clang-format off
#define G80_SIGNALS(SIGNAL)                                                                                       \
  SIGNAL(g80::ActiveMasks) SIGNAL(g80::AddrIncrement) SIGNAL(g80::AddrWrite) SIGNAL(g80::AddressDispatch)         \
  SIGNAL(g80::AddressLanes)                                                                                       \
  SIGNAL(g80::BufferLevel)                                                                                        \
  SIGNAL(g80::ConstReply) SIGNAL(g80::ConstRequest) SIGNAL(g80::ControlEvent) SIGNAL(g80::Credits)                \
  SIGNAL(g80::DecodedGroup) SIGNAL(g80::Dispatch) SIGNAL(g80::DpLanes) SIGNAL(g80::DramBeat)                      \
  SIGNAL(g80::DramCommand)                                                                                        \
  SIGNAL(g80::ExecResult) SIGNAL(g80::FetchReply) SIGNAL(g80::FetchRequest) SIGNAL(g80::FlagWrite)                \
  SIGNAL(g80::GridStart) SIGNAL(g80::GridStatus) SIGNAL(g80::Issue) SIGNAL(g80::KernelFault)                      \
  SIGNAL(g80::LaunchBeat) SIGNAL(g80::LaunchState) SIGNAL(g80::LineReply) SIGNAL(g80::LineRequest)                \
  SIGNAL(g80::LinkPacket) SIGNAL(g80::LoadFreed)                                                                  \
  SIGNAL(g80::LoadLanes) SIGNAL(g80::LoadOpen) SIGNAL(g80::LoadResult)                                            \
  SIGNAL(g80::MemReply) SIGNAL(g80::MemRequest) SIGNAL(g80::Pick)                                                 \
  SIGNAL(g80::Redirect) SIGNAL(g80::RegisterRead) SIGNAL(g80::RegisterStart) SIGNAL(g80::RegisterWrite)           \
  SIGNAL(g80::Release) SIGNAL(g80::Resolve) SIGNAL(g80::ResultAhead) SIGNAL(g80::SfuLanes)                      \
  SIGNAL(g80::SideRead) SIGNAL(g80::SmemFill) SIGNAL(g80::SmemStart)                                              \
  SIGNAL(g80::SmemPass) SIGNAL(g80::SmemReply) SIGNAL(g80::SmemRequest) SIGNAL(g80::SpLanes)                      \
  SIGNAL(g80::StackAccess) SIGNAL(g80::StackFill)                                                                 \
  SIGNAL(g80::StoreDone) SIGNAL(g80::ThreadNumbers) SIGNAL(g80::TlbAnswer)           \
  SIGNAL(g80::TlbQuestion)                                                                                        \
  SIGNAL(g80::WarpReady) SIGNAL(g80::WarpStart) SIGNAL(std::uint8_t) SIGNAL(std::uint32_t)
#define G80_CROSSINGS(CROSSING)                                                                                   \
  CROSSING(g80::CopyOrder) CROSSING(g80::CtaDone) CROSSING(g80::CtaLaunch) CROSSING(g80::DramReply)               \
  CROSSING(g80::DramRequest)                                                                                      \
  CROSSING(g80::HalfWarpAccess) CROSSING(g80::HostEvent) CROSSING(g80::KernelFault) CROSSING(g80::LaunchBeat)     \
  CROSSING(g80::LineReply)                                                                                        \
  CROSSING(g80::LineRequest) CROSSING(g80::MemReply) CROSSING(g80::PushWords) CROSSING(g80::TexReply)              \
  CROSSING(g80::TexRequest)
// clang-format on

#define G80_PORTS_OF_SIGNAL(EXTERN, T)                                       \
  EXTERN template class sc_core::sc_port_b<sc_core::sc_signal_in_if<T>>;     \
  EXTERN template class sc_core::sc_port_b<sc_core::sc_signal_inout_if<T>>;  \
  EXTERN template class sc_core::sc_port<sc_core::sc_signal_in_if<T>, 1>;    \
  EXTERN template class sc_core::sc_port<sc_core::sc_signal_inout_if<T>, 1>; \
  EXTERN template class sc_core::sc_in<T>;                                   \
  EXTERN template class sc_core::sc_inout<T>;                                \
  EXTERN template class sc_core::sc_out<T>;                                  \
  EXTERN template class g80::BlockPort<g80::In<T>, sc_core::sc_in<T>>;       \
  EXTERN template class g80::BlockPort<g80::Out<T>, sc_core::sc_out<T>>;     \
  EXTERN template class g80::In<T>;                                          \
  EXTERN template class g80::Out<T>;
#define G80_PORTS_OF_CROSSING(EXTERN, T) \
  G80_PORT_OF_CROSSING(EXTERN, T, g80::CrossingReadIf<T>) G80_PORT_OF_CROSSING(EXTERN, T, g80::CrossingWriteIf<T>)
#define G80_PORT_OF_CROSSING(EXTERN, T, Interface)                                                    \
  EXTERN template class sc_core::sc_port_b<Interface>;                                                \
  EXTERN template class sc_core::sc_port<Interface, 1>;                                               \
  EXTERN template class g80::BlockPort<g80::CrossingPort<T, Interface>, sc_core::sc_port<Interface>>; \
  EXTERN template class g80::CrossingPort<T, Interface>;

#define G80_DECLARE_SIGNAL(T)    \
  G80_PORTS_OF_SIGNAL(extern, T) \
  extern template class g80::Wire<T>;
#define G80_DECLARE_CROSSING(T)    \
  G80_PORTS_OF_CROSSING(extern, T) \
  extern template class g80::CrossingFifo<T>;
G80_SIGNALS(G80_DECLARE_SIGNAL)
G80_CROSSINGS(G80_DECLARE_CROSSING)
#undef G80_DECLARE_SIGNAL
#undef G80_DECLARE_CROSSING
