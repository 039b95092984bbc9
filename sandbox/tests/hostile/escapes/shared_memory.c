// Leaves memory, semaphores and messages where the next run could find them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "../attempt.h"

int main(void) {
    int memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    attempt("shmget", memory);
    void *block = shmat(memory, NULL, 0);
    attempt("shmat", block == (void *)-1 ? -1 : 0);
    attempt("shmctl", shmctl(memory, IPC_RMID, NULL));
    int semaphores = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    struct sembuf up = {.sem_num = 0, .sem_op = 1};
    attempt("semget", semaphores);
    attempt("semop", semop(semaphores, &up, 1));
    attempt("semctl", semctl(semaphores, 0, IPC_RMID));
    struct { long kind; char text[1]; } message = {.kind = 1};
    int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    attempt("msgget", queue);
    attempt("msgsnd", msgsnd(queue, &message, 1, IPC_NOWAIT));
    attempt("msgrcv", msgrcv(queue, &message, 1, 0, IPC_NOWAIT));
    attempt("msgctl", msgctl(queue, IPC_RMID, NULL));
    attempt("mq_open", syscall(SYS_mq_open, "hostile", O_CREAT | O_RDWR, 0600, 0));
    attempt("mq_unlink", syscall(SYS_mq_unlink, "hostile"));
    return 0;
}
