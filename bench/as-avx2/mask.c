// Hides AVX-512, VNNI and AMX from a process: the processor faults at CPUID, and this library answers in its place. Libraries that choose their
// code by CPUID, such as ONNX Runtime, then use AVX2. Loaded by run.sh.
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012
#define BIT(number) (1u << (number))

typedef int (*SetAction)(int, const struct sigaction *, struct sigaction *);

static SetAction setAction;
/* The handler that the program itself has set, such as that of V8 for WebAssembly. */
static struct sigaction ofProgram;

static void allowCpuid(int isAllowed) {
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, isAllowed);
}

/* Features of leaf 7 by subleaf and register, as in Intel's manual, volume 2, CPUID. */
static void mask(uint32_t leaf, uint32_t subleaf, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  if (leaf != 7) return;
  if (subleaf == 0) {
    /* AVX512F, DQ, IFMA, PF, ER, CD, BW, VL */
    *b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31));
    /* AVX512_VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
    *c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));
    /* AVX512_4VNNIW, 4FMAPS, VP2INTERSECT, AMX-BF16, AVX512-FP16, AMX-TILE, AMX-INT8 */
    *d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));
  } else if (subleaf == 1) {
    /* AVX-VNNI, AVX512_BF16, AMX-FP16, AVX-IFMA */
    *a &= ~(BIT(4) | BIT(5) | BIT(21) | BIT(23));
    /* AVX-VNNI-INT8, AVX-NE-CONVERT, AVX-VNNI-INT16 */
    *d &= ~(BIT(4) | BIT(5) | BIT(10));
  }
}

static void onFault(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint8_t *instruction = (const uint8_t *)registers[REG_RIP];
  /* Another fault than CPUID gives no information on its instruction: its bytes decide. */
  if (info->si_code == SI_KERNEL && instruction[0] == 0x0f && instruction[1] == 0xa2) {
    uint32_t leaf = registers[REG_RAX], subleaf = registers[REG_RCX], a, b, c, d;
    allowCpuid(1);
    __cpuid_count(leaf, subleaf, a, b, c, d);
    allowCpuid(0);
    mask(leaf, subleaf, &a, &b, &c, &d);
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
    return;
  }
  if (ofProgram.sa_flags & SA_SIGINFO && ofProgram.sa_sigaction) ofProgram.sa_sigaction(number, info, context);
  else if (ofProgram.sa_handler != SIG_DFL && ofProgram.sa_handler != SIG_IGN) ofProgram.sa_handler(number);
  else signal(SIGSEGV, SIG_DFL);
}

/* Takes the place of the C library's function: the handler above stays, and calls the program's own. */
int sigaction(int number, const struct sigaction *action, struct sigaction *former) {
  if (!setAction) setAction = (SetAction)dlsym(RTLD_NEXT, "sigaction");
  if (number != SIGSEGV) return setAction(number, action, former);
  if (former) *former = ofProgram;
  if (action) ofProgram = *action;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (!setAction) setAction = (SetAction)dlsym(RTLD_NEXT, "sigaction");
  setAction(SIGSEGV, &action, NULL);
  if (syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) != 0) perror("the processor does not fault at CPUID");
}
