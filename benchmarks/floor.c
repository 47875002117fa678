/* The least a referee could do: it sends recorded lines to the bots and waits for a line from each that was asked.

   It knows no rules, reads no JSON, keeps no clock and stores nothing. Its script, made by script.py from a results
   file, is a sequence of

       block N                   N bots are started, as the next N lines say
       bot FOLDER\tPROGRAM\t...  working directory and command
       send SEAT LENGTH          LENGTH bytes follow: what this process is sent in one write
       wait SEAT                 one line of this process is awaited
       end                       the bots' inputs are closed and their ends awaited

   It prints one JSON object: seconds from the first start to the last end, requests, and CPU seconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEATS 10
#define WORDS 64

static struct {
    pid_t pid;
    int in, out;
    size_t held;
    char read[65536];
} bots[SEATS];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void start(int seat, char *line) {
    char *words[WORDS + 1], *rest = line;
    int count = 0, to_bot[2], from_bot[2];
    while (count < WORDS && (words[count] = strsep(&rest, "\t")) != NULL) count++;
    words[count] = NULL;
    if (pipe2(to_bot, O_CLOEXEC) || pipe2(from_bot, O_CLOEXEC)) fail("pipe");
    pid_t pid = vfork();
    if (pid < 0) fail("vfork");
    if (pid == 0) {
        dup2(to_bot[0], 0);
        dup2(from_bot[1], 1);
        if (chdir(words[0]) == 0) execv(words[1], words + 1);
        _exit(127);
    }
    close(to_bot[0]);
    close(from_bot[1]);
    bots[seat].pid = pid;
    bots[seat].in = to_bot[1];
    bots[seat].out = from_bot[0];
    bots[seat].held = 0;
}

static void send_bytes(int seat, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(bots[seat].in, bytes, length);
        if (sent < 0) fail("write");
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void wait_for_line(int seat) {
    char *end, *read_so_far = bots[seat].read;
    while ((end = memchr(read_so_far, '\n', bots[seat].held)) == NULL) {
        size_t room = sizeof bots[seat].read - bots[seat].held;
        ssize_t got = read(bots[seat].out, read_so_far + bots[seat].held, room);
        if (got <= 0) {
            fprintf(stderr, "the bot in seat %d ended\n", seat);
            exit(1);
        }
        bots[seat].held += (size_t)got;
    }
    bots[seat].held -= (size_t)(end + 1 - read_so_far);
    memmove(read_so_far, end + 1, bots[seat].held);
}

static void end(int seats) {
    for (int seat = 0; seat < seats; seat++) close(bots[seat].in);
    for (int seat = 0; seat < seats; seat++) {
        close(bots[seat].out);
        if (waitpid(bots[seat].pid, NULL, 0) < 0) fail("waitpid");
    }
}

static double seconds_of(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double cpu(int whose) {
    struct rusage used;
    getrusage(whose, &used);
    return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

int main(int words, char **word) {
    struct stat about;
    struct timespec from, to;
    int script = words == 2 ? open(word[1], O_RDONLY) : -1, seats = 0, number, length;
    long requests = 0;
    if (script < 0 || fstat(script, &about)) fail("script");
    char *text = malloc((size_t)about.st_size + 1), *at = text, *line;
    for (ssize_t have = 0; have < about.st_size;) {
        ssize_t got = text ? read(script, text + have, (size_t)(about.st_size - have)) : -1;
        if (got <= 0) fail("script");
        have += got;
    }
    text[about.st_size] = 0;

    double own = cpu(RUSAGE_SELF);
    clock_gettime(CLOCK_MONOTONIC, &from);
    while (*at) {
        line = strsep(&at, "\n");
        if (sscanf(line, "send %d %d", &number, &length) == 2) {
            send_bytes(number, at, (size_t)length);
            at += length;
        } else if (sscanf(line, "wait %d", &number) == 1) {
            wait_for_line(number);
            requests++;
        } else if (sscanf(line, "block %d", &seats) == 1 && seats <= SEATS) {
            for (int seat = 0; seat < seats; seat++) start(seat, strsep(&at, "\n") + strlen("bot "));
        } else if (strcmp(line, "end") == 0) {
            end(seats);
        } else {
            fprintf(stderr, "the script has the line %.40s\n", line);
            return 1;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("{\"seconds\": %.6f, \"requests\": %ld, \"referee_cpu\": %.6f, \"bots_cpu\": %.6f}\n",
           (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9, requests,
           cpu(RUSAGE_SELF) - own, cpu(RUSAGE_CHILDREN));
    return 0;
}
