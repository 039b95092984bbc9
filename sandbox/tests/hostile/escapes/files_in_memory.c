// Asks which pages of a file are in memory, puts them there and takes them out.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

static long posix_advise(int file, int advice) {
    return syscall(SYS_fadvise64, file, 0, 4096, advice);
}

int main(void) {
    int file = open("/usr/lib/os-release", O_RDONLY);
    if (file < 0) file = open(OWN_PROGRAM, O_RDONLY);
    static char room[4096];
    unsigned char there[1];
    struct iovec piece = {room, 64};
    char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    attempt("in", posix_advise(file, POSIX_FADV_WILLNEED));
    attempt("out", posix_advise(file, POSIX_FADV_DONTNEED));
    attempt("readahead", readahead(file, 0, 4096));
    attempt("without waiting", preadv2(file, &piece, 1, 0, 8));
    attempt("and dropping", preadv2(file, &piece, 1, 0, 0x80));
    attempt("written", pwritev2(1, &piece, 0, -1, 8));
    attempt("mincore", mincore(map, 4096, there));
    attempt("cachestat", syscall(451, file, room, room + 64, 0));
    attempt("old", madvise(map, 4096, 20));
    attempt("swapped", madvise(map, 4096, 21));
    attempt("read", preadv2(file, &piece, 1, 0, 0));
    return 0;
}
