// Target regions and devices. There is no device: a region runs at once, on the thread that meets it, but in an initial
// task of its own, and its data stay where they are. Any thread may call these functions.
#include "dependences.hpp"
#include "task.hpp"
#include "team.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constexpr unsigned short kind_mask = 0xff, firstprivate = 12;

void wait_for(unsigned flags, void** depend) {
  task& me = current();
  if (depend != nullptr && me.children != nullptr) me.children->wait_for(read_depend(depend));
  (void)flags;
}

void wait_for(int count, void* (*objects)[2]) {
  if (count <= 0) return;
  std::vector<void*> depend(5);
  depend[1] = reinterpret_cast<void*>(static_cast<std::uintptr_t>(count));
  for (int i = 0; i < count; ++i) depend.push_back(objects[i]);
  wait_for(0, depend.data());
}

/// Firstprivate variables get copies; the high byte of a kind is the logarithm of the alignment.
void run_here(function fn, std::size_t count, void** addresses, const std::size_t* sizes, const unsigned short* kinds) {
  constexpr std::size_t align = 256;
  std::size_t bytes = 0;
  const auto place = [&](std::size_t at, unsigned short kind) {
    const std::size_t a = std::size_t{1} << std::min(kind >> 8, 8);
    return (at + a - 1) / a * a;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if ((kinds[i] & kind_mask) == firstprivate) bytes = place(bytes, kinds[i]) + sizes[i];
  }
  if (bytes == 0) return run_outside(fn, addresses);
  const std::unique_ptr<char, void (*)(void*)> block{
      static_cast<char*>(std::aligned_alloc(align, (bytes + align - 1) / align * align)), std::free};
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if ((kinds[i] & kind_mask) != firstprivate) continue;
    at = place(at, kinds[i]);
    std::memcpy(block.get() + at, addresses[i], sizes[i]);
    addresses[i] = block.get() + at;
    at += sizes[i];
  }
  run_outside(fn, addresses);
}

}  // namespace

extern "C" {

void GOMP_target(int, function fn, const void*, std::size_t, void** addresses, std::size_t*, unsigned char*) {
  run_outside(fn, addresses);
}
void GOMP_target_ext(int, function fn, std::size_t count, void** addresses, std::size_t* sizes, unsigned short* kinds,
                     unsigned flags, void** depend, void**) {
  wait_for(flags, depend);
  run_here(fn, count, addresses, sizes, kinds);
}
void GOMP_target_data(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
void GOMP_target_data_ext(int, std::size_t, void**, std::size_t*, unsigned short*) {}
void GOMP_target_end_data() {}
void GOMP_target_update(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
void GOMP_target_update_ext(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned flags, void** depend) {
  wait_for(flags, depend);
}
void GOMP_target_enter_exit_data(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned flags,
                                 void** depend) {
  wait_for(flags, depend);
}
void GOMP_offload_register(const void*, int, const void*) {}
void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
void GOMP_offload_unregister(const void*, int, const void*) {}
void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}

int omp_get_num_devices() { return 0; }
int omp_get_initial_device() { return 0; }
int omp_get_device_num() { return 0; }
int omp_is_initial_device() { return 1; }

void* omp_target_alloc(std::size_t bytes, int) { return bytes == 0 ? nullptr : std::malloc(bytes); }
void omp_target_free(void* block, int) { std::free(block); }
int omp_target_is_present(const void*, int) { return 1; }
int omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset, std::size_t from_offset,
                      int, int) {
  std::memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset, bytes);
  return 0;
}
int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions, const std::size_t* volume,
                           const std::size_t* to_offsets, const std::size_t* from_offsets,
                           const std::size_t* to_extents, const std::size_t* from_extents, int to_device,
                           int from_device) {
  if (to == nullptr && from == nullptr) return INT32_MAX;  // asks for the most dimensions
  if (dimensions < 1) return EINVAL;
  if (dimensions == 1) {
    return omp_target_memcpy(to, from, element * volume[0], element * to_offsets[0], element * from_offsets[0],
                             to_device, from_device);
  }
  std::size_t to_slice = element, from_slice = element;
  for (int d = 1; d < dimensions; ++d) {
    to_slice *= to_extents[d];
    from_slice *= from_extents[d];
  }
  for (std::size_t i = 0; i < volume[0]; ++i) {
    const int error = omp_target_memcpy_rect(static_cast<char*>(to) + (to_offsets[0] + i) * to_slice,
                                             static_cast<const char*>(from) + (from_offsets[0] + i) * from_slice,
                                             element, dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1,
                                             to_extents + 1, from_extents + 1, to_device, from_device);
    if (error != 0) return error;
  }
  return 0;
}

// The asynchronous ones wait for what they depend on, and then copy at once. A depend object is an address and a kind.
using depend_object = void* [2];
int omp_target_memcpy_async(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                            std::size_t from_offset, int to_device, int from_device, int count,
                            depend_object* objects) {
  wait_for(count, objects);
  return omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}
int omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element, int dimensions,
                                 const std::size_t* volume, const std::size_t* to_offsets,
                                 const std::size_t* from_offsets, const std::size_t* to_extents,
                                 const std::size_t* from_extents, int to_device, int from_device, int count,
                                 depend_object* objects) {
  if (to != nullptr || from != nullptr) wait_for(count, objects);
  return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets, to_extents,
                                from_extents, to_device, from_device);
}
void* omp_get_mapped_ptr(const void* at, int device) {
  return device == 0 || device == -1 ? const_cast<void*>(at) : nullptr;
}
int omp_target_is_accessible(const void*, std::size_t, int device) { return device == 0 || device == -1 ? 1 : 0; }

int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) { return EINVAL; }
int omp_target_disassociate_ptr(const void*, int) { return EINVAL; }

}  // extern "C"

#pragma GCC visibility pop
