// For a benchmark that is linked statically: what the static hwloc and libcrypto ask shared libraries for. Neither needs
// it here, and both can do without.

extern "C" {

/// Nothing can be loaded: hwloc has no plugins then, and libcrypto no engines.
void* dlopen(const char*, int) { return nullptr; }

// hwloc asks udev about disks if it is to look at I/O devices, which tine never wants. There is no static libudev.
struct udev;
struct udev_device;
udev* udev_new() { return nullptr; }
udev* udev_unref(udev*) { return nullptr; }
udev_device* udev_device_new_from_subsystem_sysname(udev*, const char*, const char*) { return nullptr; }
const char* udev_device_get_property_value(udev_device*, const char*) { return nullptr; }
udev_device* udev_device_unref(udev_device*) { return nullptr; }
}
