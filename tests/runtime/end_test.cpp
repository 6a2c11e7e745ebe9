// SPDX-License-Identifier: Apache-2.0
// How programs end: with work under way, in every way, with every output; and how they begin.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/runtime/program_runner.h"

namespace {

using namespace g80::testing;
namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class TheEnd : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (IsSkipped()) return;
    program_ = temporary("ends_at_work");
    const Outcome made = compile("-arch=sm_10 " + source("tests/runtime/programs/ends_at_work.cu"), program_);
    ASSERT_EQ(made.code, 0) << made.output;
    fs::remove_all(folder_ = temporary("end"));
    fs::create_directories(folder_);
  }
  std::string contents(const std::string& name) const {
    std::ifstream in(folder_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Runs it in an empty folder.
  Outcome end(const std::string& work, const std::string& how, const std::string& options) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    return run("cd " + folder_ + " && G80_DEVICE=tiny G80_RUN='" + options + "' " + program_ + " " + work + " " + how +
               " copied");
  }
  void expect_end(const std::string& work, const std::string& how, const Outcome& outcome) const {
    EXPECT_THAT(outcome.output, HasSubstr("done 9\n"));
    if (how == "throw") {
      EXPECT_EQ(outcome.code, 128 + 6) << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr("nobody catches it"));
    } else {
      EXPECT_EQ(outcome.code, 0) << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr("exit handler 7 no error\n"));
      EXPECT_THAT(outcome.output, HasSubstr("last 5 no error\nstatic object 7 no error\n"))
          << "a static object uses the device until it is gone";
    }
    if (work == "copy") {
      std::string fives;
      for (int i = 0; i < 1024; ++i) fives += std::string("\5\0\0\0", 4);
      EXPECT_EQ(contents("copied"), fives);
    }
  }
  std::string program_, folder_;
};

const std::vector<std::string> kWorks = {"launch", "stream", "copy", "event"}, kWays = {"return", "exit", "throw"};

TEST_F(TheEnd, WorkIsFinishedAndEveryFileIsComplete) {
  for (const std::string& work : kWorks) {
    for (const std::string& how : kWays) {
      SCOPED_TRACE(work + ", " + how);
      const Outcome outcome = end(work, how,
                                  "--stats s.json --wave w.vcd --timeline t.json --report r.html --hot 3 --coverage c "
                                  "--wave-level arch");
      expect_end(work, how, outcome);
      EXPECT_THAT(outcome.output, HasSubstr("fill(int*, int)")) << "of --hot";
      const std::string statistics = contents("s.json");
      EXPECT_THAT(statistics, EndsWith("}\n"));
      EXPECT_THAT(contents("t.json"), EndsWith("}}\n"));
      EXPECT_THAT(contents("r.html"), HasSubstr("</html>"));
      EXPECT_NE(contents("w.vcd"), "");
      EXPECT_NE(contents("c"), "");
      std::size_t launches = 0;
      for (std::size_t at = 0; (at = statistics.find("\"kernel\": \"fill", at)) != std::string::npos; ++at) ++launches;
      EXPECT_EQ(launches, how == "throw" ? 2u : 4u) << statistics.substr(0, 2000);
      for (const auto& file : fs::directory_iterator(folder_))
        EXPECT_THAT(file.path().string(), Not(HasSubstr(".part")));
    }
  }
}

TEST_F(TheEnd, WorkOfTheReferenceIsFinishedToo) {
  for (const std::string& work : kWorks) {
    for (const std::string& how : kWays) {
      SCOPED_TRACE(work + ", " + how);
      expect_end(work, how, end(work, how, "--model golden --stats s.json"));
      EXPECT_THAT(contents("s.json"), EndsWith("}\n"));
    }
  }
}

TEST_F(TheEnd, AKernelThatFailsThereIsReportedAndLosesNothing) {
  const std::string text = R"(
#include <stdio.h>
__global__ void wild(int* p) { p[1 << 26] = 1; }
int main() {
  int* p;
  cudaMalloc((void**)&p, 4);
  printf("before");
  wild<<<1, 1>>>(p);
  return 0;
}
)";
  const std::string stats = temporary("wild.json");
  for (const char* model : {"gpu", "golden"}) {
    const Outcome outcome = compile_and_run(write("wild.cu", text), "wild",
                                            "G80_DEVICE=tiny G80_RUN='--stats " + stats + " --model " + model + "'");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("g80: kernel wild(int*): fault"));
    EXPECT_THAT(outcome.output, HasSubstr("before"));
    EXPECT_EQ(run("grep -q fault " + stats + " && rm " + stats).code, 0);
  }
}

/// The child ends like any program, with the exit handlers that it has from its parent.
TEST_F(TheEnd, AChildOfTheProgramLeavesItsWorkAndRecordsAlone) {
  const std::string text = R"(
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void add(int* p, int v) { *p += v; }
int main() {
  int *p, word = 0, status = 0;
  cudaMalloc((void**)&p, 4);
  cudaMemset(p, 0, 4);
  add<<<1, 1>>>(p, 2);
  const pid_t child = fork();
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  add<<<1, 1>>>(p, 3);
  cudaMemcpy(&word, p, 4, cudaMemcpyDeviceToHost);
  printf("child %d, sum %d\n", status, word);
  return 0;
}
)";
  const std::string stats = temporary("forked.json"), wave = temporary("forked.vcd");
  const Outcome outcome = compile_and_run(write("forked.cu", text), "forked",
                                          "G80_DEVICE=tiny G80_RUN='--stats " + stats + " --wave " + wave + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("child 0, sum 5\n"));
  EXPECT_EQ(run("grep -c '\"kernel\": \"add' " + stats).output, "2\n");
}

TEST_F(TheEnd, StreamsOfCppAreFlushedAlsoIfTheyAreNotThoseOfC) {
  const std::string text = R"(
#include <iostream>
__global__ void nothing() {}
int main() {
  std::ios::sync_with_stdio(false);
  nothing<<<1, 1>>>();
  std::cout << "held back";
  return 0;
}
)";
  const Outcome outcome = compile_and_run(write("held.cu", text), "held", "G80_DEVICE=tiny");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "held back");
}

TEST_F(TheEnd, AnErrorThatEndsTheProgramIsToldOnceAndLosesNoOutput) {
  const std::string text = R"(
#include <iostream>
#include <stdio.h>
__global__ void count(volatile int* p) { for (int i = 0; i < 1000; ++i) ++*p; }
static int* p;
struct Last {
  ~Last() {
    printf("last");
    if (p) cudaFree(p);
  }
} last;
int main(int argc, char**) {
  std::ios::sync_with_stdio(false);
  std::cout << "first ";
  std::wclog << L"logged ";
  printf("second ");
  cudaMalloc((void**)&p, 4);
  count<<<1, 1>>>(p);
  if (argc > 2) p = 0;
  if (argc == 2) cudaThreadExit();
}
)";
  const std::string program = temporary("full_disk");
  ASSERT_EQ(compile(write("full_disk.cu", text), program).code, 0);
  for (const char* const file : {"w.vcd.part", "t.json", "s.json"})
    fs::create_symlink("/dev/full", folder_ + "/" + file);
  const std::string wave = "g80: w.vcd: the wave file could not be completed (No space left on device)",
                    timeline = "g80: --timeline t.json: the file cannot be written";
  for (const auto& [options, told] :
       {std::pair("--wave w.vcd", wave),
        {"--wave long.vcd --wave-level arch", "g80: long.vcd: the wave file could not be completed (File too large)"},
        {"--timeline t.json", timeline},
        {"--stats s.json", "g80: s.json: writing failed"},
        {"--wav w.vcd", "g80: G80_RUN=\"--wav w.vcd\": unknown option --wav"}}) {
    for (const char* const arguments : {"", " reset", " nothing more"}) {
      SCOPED_TRACE(options + std::string(arguments));
      const Outcome outcome = run("cd " + folder_ + "; ulimit -f 10000; G80_DEVICE=tiny G80_RUN='" + options + "' " +
                                  program + arguments + " 2>&1");
      EXPECT_EQ(outcome.code, 2) << outcome.output;
      for (const char* const own : {"first ", "second ", "logged ", "last"})
        EXPECT_THAT(outcome.output, HasSubstr(own));
      EXPECT_EQ(outcome.output.find("g80: "), outcome.output.find(told)) << outcome.output;
      EXPECT_EQ(outcome.output.find("g80: "), outcome.output.rfind("g80: ")) << outcome.output;
    }
  }
}

/// Neither the thread that has decoded the kernel nor the one that has launched it need live when it runs.
TEST_F(TheEnd, WorkOfAThreadThatHasEndedIsFinished) {
  const std::string text = R"(
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void fill(int* p, int value) { p[threadIdx.x] = value; }
static void* work(void* ends) {
  int *p, h = 0;
  cudaMalloc((void**)&p, 256);
  fill<<<1, 64>>>(p, 1);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  fill<<<1, 64>>>(p, 2);
  printf("%d\n", h);
  if (ends) exit(0);
  return 0;
}
int main(int argc, char**) {
  pthread_t thread;
  pthread_create(&thread, 0, work, argc > 1 ? &thread : 0);
  pthread_join(thread, 0);
  work(0);
  return 0;
}
)";
  const std::string stats = temporary("threads.json");
  ASSERT_EQ(compile(write("end_of_thread.cu", text), temporary("end_of_thread")).code, 0);
  const std::string start = "G80_DEVICE=tiny G80_RUN='--stats " + stats + "' " + temporary("end_of_thread"),
                    count = "grep -c '\"kernel\": \"fill' " + stats;
  const Outcome both = run(start);
  EXPECT_EQ(both.code, 0) << both.output;
  EXPECT_EQ(both.output, "1\n1\n");
  EXPECT_EQ(run(count).output, "4\n");
  const Outcome other = run(start + " exits");
  EXPECT_EQ(other.code, 0) << other.output;
  EXPECT_EQ(other.output, "1\n");
  EXPECT_EQ(run(count).output, "2\n");
}

TEST_F(TheEnd, ConstructorsOfStaticObjectsLaunchKernelsOfEveryFile) {
  const std::string kernel = write("early_kernel.cu", R"(
__device__ int scale = 3;
__global__ void times(int* p) { p[threadIdx.x] = scale * threadIdx.x; }
static int product(int n) {
  int *p, h[32];
  cudaMalloc((void**)&p, sizeof h);
  times<<<1, 32>>>(p);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  return h[n];
}
static int own = product(7);
int its_own() { return own; }
int of_others(int n) { return product(n); }
)");
  const std::string user = write("early_user.cpp", R"(
#include <stdio.h>
int of_others(int n);
int its_own();
static int other = of_others(5);
int main() { printf("%d %d\n", its_own(), other); }
)");
  for (const std::string& order : {kernel + " " + user, user + " " + kernel}) {
    const Outcome outcome = compile_and_run(order, "early", "G80_RUN='--model golden'");
    EXPECT_EQ(outcome.output, "21 15\n");
  }
}

/// The program sends a signal to itself after a while of work, twice as timeout(1) does.
constexpr const char* kSignals = R"(
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
__global__ void spin(int* p, int n) {
  int v = threadIdx.x;
  for (int i = 0; i < n; ++i) v = v * 3 + 1;
  p[threadIdx.x] = v;
}
static int number;
static volatile int sent = 0, got = 0;
static void send(int) {
  ++sent;
  kill(getpid(), number);
  kill(getpid(), number);
}
static void take(int n) { got = n; }
static void leave(int) { exit(7); }
static void loop() { for (;;) sent; }
int main(int, char** argv) {
  const char* place = argv[1];
  const itimerval work = {{0, 400000}, {0, 200000}};
  int* p;
  number = atoi(argv[2]);
  signal(number, SIG_DFL);
  alarm(300);
  cudaMalloc((void**)&p, 256);
  spin<<<1, 32>>>(p, 10);
  cudaThreadSynchronize();
  signal(SIGPROF, send);
  if (!strcmp(place, "raise")) return raise(number);
  if (!strcmp(place, "taken")) signal(number, take);
  if (!strcmp(place, "ignored")) signal(number, SIG_IGN);
  if (!strcmp(place, "leaving")) signal(number, leave);
  if (!strcmp(place, "exit handler")) atexit(loop);
  setitimer(ITIMER_PROF, &work, 0);
  if (!strcmp(place, "host")) loop();
  if (!strcmp(place, "taken") || !strcmp(place, "ignored")) {
    do {
      spin<<<1, 32>>>(p, 100);
      cudaThreadSynchronize();
    } while (!sent);
    signal(SIGPROF, SIG_IGN);
    printf("got %d\n", got);
    return 3;
  }
  spin<<<1, 32>>>(p, 1 << 30);
  if (strcmp(place, "pending")) cudaThreadSynchronize();
  return 0;
}
)";

TEST_F(TheEnd, ASignalEndsTheProgramWhereverItIs) {
  const std::string program = temporary("signals");
  const Outcome made = compile("-arch=sm_10 " + write("signals.cu", kSignals), program);
  ASSERT_EQ(made.code, 0) << made.output;
  struct Row {
    const char* place;
    int signal, code;
    const char* told;
    bool has_outputs;
  };
  constexpr int kInt = 2, kHup = 1, kTerm = 15;
  for (const std::string model : {"gpu", "golden"}) {
    const std::string more = model == "gpu" ? " --check off --timeline t.json --wave w.vcd --wave-level arch" : "";
    for (const Row& row :
         {Row{"host", kTerm, 128 + kTerm, "", false}, Row{"host", kInt, 128 + kInt, "", false},
          Row{"host", kHup, 128 + kHup, "", false}, Row{"raise", kTerm, 128 + kTerm, "", false},
          Row{"kernel", kTerm, 128 + kTerm, "g80: terminated (SIGTERM) in kernel spin(int*, int)", true},
          Row{"kernel", kInt, 128 + kInt, "g80: interrupted (SIGINT) in kernel spin(int*, int)", true},
          Row{"kernel", kHup, 128 + kHup, "g80: terminated (SIGHUP) in kernel spin(int*, int)", true},
          Row{"pending", kTerm, 128 + kTerm, "g80: terminated (SIGTERM) in kernel spin(int*, int)", true},
          Row{"pending", kInt, 128 + kInt, "g80: interrupted (SIGINT) in kernel spin(int*, int)", true},
          Row{"exit handler", kTerm, 128 + kTerm, "g80: terminated (SIGTERM) in kernel", false},
          Row{"exit handler", kInt, 128 + kInt, "g80: interrupted (SIGINT) in kernel", false},
          Row{"taken", kTerm, 3, "got 15\n", true}, Row{"taken", kInt, 3, "got 2\n", true},
          Row{"ignored", kHup, 3, "got 0\n", true}, Row{"leaving", kTerm, 7, "", true}}) {
      SCOPED_TRACE(model + ", " + row.place + ", " + std::to_string(row.signal));
      fs::remove_all(folder_);
      fs::create_directories(folder_);
      const Outcome outcome = run("cd " + folder_ + " && G80_DEVICE=tiny G80_RUN='--stats s.json --model " + model +
                                  more + "' " + program + " '" + row.place + "' " + std::to_string(row.signal));
      EXPECT_EQ(outcome.code, row.code) << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr(row.told));
      if (!row.has_outputs) continue;
      EXPECT_THAT(contents("s.json"), HasSubstr("\"kernel\": \"spin(int*, int)\""));
      EXPECT_THAT(contents("s.json"), EndsWith("}\n"));
      if (model == "golden") continue;
      EXPECT_THAT(contents("t.json"), EndsWith("}}\n"));
      EXPECT_GT(contents("w.vcd").size(), 1000u);
    }
  }
}

}  // namespace
