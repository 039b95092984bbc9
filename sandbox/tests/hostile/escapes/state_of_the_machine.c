// Asks what the machine has left and how busy it is, which another run can change.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>

int main(void) {
    struct sysinfo machine;
    struct statfs disk;
    attempt("sysinfo", sysinfo(&machine));
    attempt("statfs", statfs("/usr/lib", &disk));
    attempt("fstatfs", fstatfs(open("/usr/lib", O_RDONLY), &disk));
    return 0;
}
