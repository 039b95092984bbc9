// Opens files by handles, which know no folders.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>

#include "../attempt.h"

int main(void) {
    struct file_handle *handle = calloc(1, sizeof *handle + 128);
    int mount;
    handle->handle_bytes = 128;
    attempt("name_to_handle_at", name_to_handle_at(AT_FDCWD, "/usr", handle, &mount, 0));
    return 0;
}
