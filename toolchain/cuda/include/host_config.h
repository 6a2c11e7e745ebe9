/* SPDX-License-Identifier: Apache-2.0
   What the toolkit says here about the host's compiler; there is nothing to say. */
#pragma once
#pragma GCC system_header
#define __HOST_CONFIG_H__
#include "host_defines.h"
