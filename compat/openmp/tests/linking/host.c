/* A program without OpenMP, which loads the libraries that it is given, and calls each. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    void* library = dlopen(words[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return (puts(dlerror()), 1);
    int (*call)(void) = (int (*)(void))dlsym(library, "threads_of_a_team");
    printf("%d\n", call());
  }
}
