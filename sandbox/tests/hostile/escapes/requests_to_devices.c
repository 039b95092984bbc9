// Asks files and devices for what the machine keeps of them.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/random.h>
#include <sys/ioctl.h>

int main(void) {
    int file = open(OWN_PROGRAM, O_RDONLY), random = open("/dev/urandom", O_RDONLY), number = 0;
    struct fiemap places = {.fm_length = 4096};
    attempt("entropy", ioctl(random, RNDGETENTCNT, &number));
    attempt("flags", ioctl(file, FS_IOC_GETFLAGS, &number));
    attempt("places on the disk", ioctl(file, FS_IOC_FIEMAP, &places));
    attempt("typing", ioctl(0, TIOCSTI, "x"));
    attempt("bytes to read", ioctl(file, FIONREAD, &number));
    return 0;
}
