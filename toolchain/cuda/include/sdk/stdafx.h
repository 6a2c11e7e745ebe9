// Programs made with a wizard of another compiler include a header of this name for precompilation.
#pragma once
