// The SystemC library wants sc_main to exist; GoogleTest owns main().
#include <systemc>

int sc_main(int, char**) { return 0; }
