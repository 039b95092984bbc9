// Asks for ways into the kernel: its programs, counters, faults and notices.
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "../attempt.h"

int main(void) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    attempt("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    struct perf_event_attr event = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_DUMMY,
        .exclude_kernel = 1, .exclude_hv = 1,
    };
    attempt("perf_event_open", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    attempt("userfaultfd", syscall(SYS_userfaultfd, 1));
    attempt("fanotify_init", syscall(SYS_fanotify_init, 0x200, 0));
    return 0;
}
