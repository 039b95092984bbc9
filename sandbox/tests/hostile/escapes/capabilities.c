// Lists the rights it has or could get, and asks for one.
#define _GNU_SOURCE
#include <linux/capability.h>
#include <sys/prctl.h>

#include "../attempt.h"

int main(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {0};
    syscall(SYS_capget, &head, sets);
    int bounding = 0;
    for (int right = 0; prctl(PR_CAPBSET_READ, right) >= 0; right++) bounding += prctl(PR_CAPBSET_READ, right);
    printf("effective %x permitted %x inheritable %x bounding %d\n", sets[0].effective | sets[1].effective,
           sets[0].permitted | sets[1].permitted, sets[0].inheritable | sets[1].inheritable, bounding);
    sets[0].effective = sets[0].permitted = 1 << CAP_SYS_ADMIN;
    attempt("capset", syscall(SYS_capset, &head, sets));
    return 0;
}
