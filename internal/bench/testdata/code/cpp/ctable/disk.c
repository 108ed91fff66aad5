#include "device.h"

static int reset(device_t *dev) { return dev->state = 1; }

static int disk_open(device_t *dev) { return reset(dev) - 1; }

static void disk_close(device_t *dev) { dev->state = -1; }

const struct device_ops disk_ops = {
	.open = disk_open,
	.close = disk_close,
};
