// Stands where a program looks for a library that is not part of this project, and says so.
#pragma clang diagnostic fatal "-W#warnings"
#warning "OpenGL interoperability is not part of g80: the modelled machine computes and has no display"
