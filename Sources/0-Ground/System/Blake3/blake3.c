// SPDX-License-Identifier: Apache-2.0

#include "CBlake3.h"
