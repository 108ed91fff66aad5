#include "device.h"

static void stop(device_t *dev) { dev->ops->close(dev); }

static int (*const starters[])(device_t *) = {device_start};

int main(void) {
	device_t *disk = device_new(&disk_ops);
	device_t *net = device_new(&net_ops);
	int failed = device_start(disk) + starters[0](net);
	device_each(disk, 1, stop);
	return failed;
}
