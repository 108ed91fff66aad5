#ifndef DEVICE_H
#define DEVICE_H

struct device;

struct device_ops {
	int (*open)(struct device *dev);
	void (*close)(struct device *dev);
};

typedef struct device {
	const struct device_ops *ops;
	int state;
} device_t;

#define DEVICE_READY(dev) ((dev)->state > 0)

device_t *device_new(const struct device_ops *ops);
int device_start(device_t *dev);
void device_each(device_t *list, int count, void (*visit)(device_t *));

extern const struct device_ops disk_ops;
extern const struct device_ops net_ops;

#endif
