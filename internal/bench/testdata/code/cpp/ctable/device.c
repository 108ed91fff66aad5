#include "device.h"

#include <stdlib.h>

static void reset(device_t *dev) { dev->state = 0; }

device_t *device_new(const struct device_ops *ops) {
	device_t *dev = malloc(sizeof(device_t));
	dev->ops = ops;
	reset(dev);
	return dev;
}

int device_start(device_t *dev) {
	if (dev->ops->open(dev) != 0) {
		dev->ops->close(dev);
		return -1;
	}
	return DEVICE_READY(dev);
}

void device_each(device_t *list, int count, void (*visit)(device_t *)) {
	for (int i = 0; i < count; i++)
		visit(&list[i]);
}
