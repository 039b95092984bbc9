// Reads a file of the host, and looks whether others can see that it did.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sys/stat.h>

int main(int count, char **words) {
    (void)count;
    struct stat before, after;
    char byte;
    int file = open(words[0], O_RDONLY);
    attempt("open", file);
    fstat(file, &before);
    attempt("read", read(file, &byte, 1));
    fstat(file, &after);
    int seen = before.st_atim.tv_sec != after.st_atim.tv_sec || before.st_atim.tv_nsec != after.st_atim.tv_nsec;
    printf("seen by others: %s\n", seen ? "yes" : "no");
    return 0;
}
