# In the manner of the SDK's common.mk of CUDA 2.x and 3.x: objects named .cu.o and .cpp.o, host code by g++, linked by g++.
.SUFFIXES : .cu .cubin .ptx
SM_VERSIONS := 10 11

CUDA_INSTALL_PATH ?= /usr/local/cuda
HP_64    = $(shell uname -m | grep 64)
OSLOWER  = $(shell uname -s | tr [:upper:] [:lower:])
LIB_ARCH = $(shell uname -m)
ROOTDIR   ?= ..
BINDIR    ?= $(ROOTDIR)/../bin/$(OSLOWER)
OBJDIR    := obj/$(LIB_ARCH)
COMMONDIR ?= $(ROOTDIR)/../common
LIBDIR    := $(COMMONDIR)/../lib

NVCC := $(CUDA_INSTALL_PATH)/bin/nvcc 
CXX  := g++
CC   := gcc
LINK := g++ -fPIC

INCLUDES += -I. -I$(CUDA_INSTALL_PATH)/include -I$(COMMONDIR)/inc
CXXFLAGS += -W -Wall -Wswitch -Wformat -Wpointer-arith -Wno-unused-function
GENCODE_SM10 := -gencode=arch=compute_10,code=\"sm_10,compute_10\"
GENCODE_SM20 := -gencode=arch=compute_20,code=\"sm_20,compute_20\"

COMMONFLAGS += $(INCLUDES) -DUNIX
ifeq ($(dbg),1)
	COMMONFLAGS += -g
	NVCCFLAGS   += -D_DEBUG
	LIBSUFFIX   := D
else
	COMMONFLAGS += -O2
	NVCCFLAGS   += --compiler-options -fno-strict-aliasing --compiler-options -fno-inline
	CXXFLAGS    += -fno-strict-aliasing
endif

ifeq "$(strip $(HP_64))" ""
	LIB := -L$(CUDA_INSTALL_PATH)/lib
else
	LIB := -L$(CUDA_INSTALL_PATH)/lib64
endif
ifeq ($(USEDRVAPI),1)
	LIB += -lcuda
else
ifeq ($(emu),1)
	LIB += -lcudartemu
else
	LIB += -lcudart
endif
endif
LIB += $(LINKFLAGS)

# A library or a program
ifneq ($(STATIC_LIB),)
	TARGET   := $(subst .a,_$(LIB_ARCH)$(LIBSUFFIX).a,$(LIBDIR)/$(STATIC_LIB))
	LINKLINE  = ar rucv $(TARGET) $(OBJS)
else
	LIB      := -lcutil_$(LIB_ARCH)$(LIBSUFFIX) $(LIB) -L$(LIBDIR) -L$(COMMONDIR)/lib/$(OSLOWER)
	TARGET   := $(BINDIR)/$(EXECUTABLE)
	LINKLINE  = $(LINK) -o $(TARGET) $(OBJS) $(LIB)
endif

ifeq ($(emu),1)
	NVCCFLAGS += -deviceemu
endif
ifeq ($(fastmath),1)
	NVCCFLAGS += -use_fast_math
endif
ifdef maxregisters
	NVCCFLAGS += -maxrregcount $(maxregisters)
endif
NVCCFLAGS += $(COMMONFLAGS)
CXXFLAGS  += $(COMMONFLAGS)

OBJS   += $(patsubst %.cpp,$(OBJDIR)/%.cpp.o,$(notdir $(CCFILES)))
OBJS   += $(patsubst %.cu,$(OBJDIR)/%.cu.o,$(notdir $(CUFILES)))
CUBINS += $(patsubst %.cu,data/%.cubin,$(notdir $(CUBINFILES)))
PTXBINS += $(patsubst %.cu,data/%.ptx,$(notdir $(PTXFILES)))

$(OBJDIR)/%.cpp.o : $(SRCDIR)%.cpp $(C_DEPS)
	$(CXX) $(CXXFLAGS) -o $@ -c $<
$(OBJDIR)/%.cu.o : %.cu $(CU_DEPS)
	$(NVCC) $(GENCODE_SM10) $(GENCODE_ARCH) $(GENCODE_SM20) $(NVCCFLAGS) $(SMVERSIONFLAGS) -o $@ -c $<
data/%.cubin : %.cu
	$(NVCC) $(GENCODE_SM10) $(NVCCFLAGS) $(SMVERSIONFLAGS) -o $@ -cubin $<
data/%.ptx : %.cu
	$(NVCC) $(NVCCFLAGS) $(SMVERSIONFLAGS) -o $@ -ptx $<

# One more rule and list of files for each version of the chip: CUFILES_sm_11 := atomics.cu
define SMVERSION_template
OBJS += $(patsubst %.cu,$(OBJDIR)/%.cu_$(1).o,$(notdir $(CUFILES_sm_$(1))))
$(OBJDIR)/%.cu_$(1).o : %.cu $(CU_DEPS)
	$(NVCC) -gencode=arch=compute_$(1),code=\"sm_$(1),compute_$(1)\" $(GENCODE_SM20) -o $$@ -c $$< $(NVCCFLAGS)
endef
$(foreach smver,$(SM_VERSIONS),$(eval $(call SMVERSION_template,$(smver))))

$(TARGET): makedirectories $(OBJS) $(CUBINS) $(PTXBINS) Makefile
	$(LINKLINE)

makedirectories:
	mkdir -p $(OBJDIR) $(BINDIR) $(LIBDIR) data
