// SPDX-License-Identifier: Apache-2.0
// Programs made with a wizard of another compiler include a header of this name for precompilation.
#pragma once
