// SPDX-License-Identifier: Apache-2.0
// libcudart.so: its static objects are never destroyed.
//
// Exit handlers and static objects of a program use the device, and what they leave is done in the handler of
// runtime/at_exit.cpp. C++ destroys static objects in the reverse order of their construction, and those of a machine
// are constructed when it first runs, so they would be gone by then. Their memory ends with the process.

/// In the place of the C library's __cxa_atexit, in all code of this library (the linker's --wrap).
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
