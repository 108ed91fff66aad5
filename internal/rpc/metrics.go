package rpc

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Labels for requests without a known method.
const (
	methodNone  = "none"  // no frame could be read
	methodOther = "other" // a name nobody declared
)

// latencyBounds are the upper bounds of the histogram in seconds: hooks have to
// be done in 50 to 150 ms, so most of them lie there.
func latencyBounds() []float64 {
	return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30}
}

// Sample is one value for /metrics. Samples of one name must follow each other.
type Sample struct {
	// Name in Prometheus style, such as "chitta_memories".
	Name string
	// Help is one line; Type is "gauge" or "counter". Those of the first sample
	// of a name count.
	Help, Type string
	// Labels are pairs of name and value.
	Labels [][2]string
	Value  float64
}

// metrics counts requests. Everything else is read when it is asked for.
type metrics struct {
	inFlight atomic.Int64
	received atomic.Int64 // bytes of bodies

	mu       sync.Mutex
	requests map[requestKey]int64
	latency  map[string]*histogram
	bounds   []float64
}

type requestKey struct {
	method string
	code   int
}

type histogram struct {
	counts []int64 // one per bound, not cumulative, and one for the rest
	sum    float64
	total  int64
}

func newMetrics() *metrics {
	return &metrics{
		requests: make(map[requestKey]int64),
		latency:  make(map[string]*histogram),
		bounds:   latencyBounds(),
	}
}

// count counts a request that took no time worth measuring.
func (m *metrics) count(method string, code int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestKey{method, code}]++
}

func (m *metrics) observe(method string, code int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestKey{method, code}]++
	h := m.latency[method]
	if h == nil {
		h = &histogram{counts: make([]int64, len(m.bounds)+1)}
		m.latency[method] = h
	}
	seconds := took.Seconds()
	i, _ := slices.BinarySearch(m.bounds, seconds)
	h.counts[i]++
	h.sum += seconds
	h.total++
}

func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	var b bytes.Buffer
	s.metrics.write(&b)
	samples := []Sample{
		{Name: "chitta_rpc_in_flight", Help: "Requests being read, waiting or running.", Type: "gauge", Value: float64(s.metrics.inFlight.Load())},
		{Name: "chitta_rpc_running", Help: "Requests that occupy a worker.", Type: "gauge", Value: float64(s.pool.running.Load())},
		{Name: "chitta_rpc_workers", Help: "Workers of the pool.", Type: "gauge", Value: float64(s.pool.workerCount())},
		{Name: "chitta_rpc_queue_length", Help: "Requests waiting for a worker.", Type: "gauge", Value: float64(s.pool.queued())},
		{Name: "chitta_rpc_slow_requests_total", Help: "Requests the watchdog reported.", Type: "counter", Value: float64(s.pool.slow.Load())},
		{Name: "chitta_rpc_panics_total", Help: "Panics in handlers.", Type: "counter", Value: float64(s.pool.panics.Load())},
		{Name: "chitta_rpc_received_bytes_total", Help: "Bytes of request bodies.", Type: "counter", Value: float64(s.metrics.received.Load())},
		{Name: "process_start_time_seconds", Help: "When the daemon started, in seconds since 1970.", Type: "gauge", Value: float64(s.started.UnixMilli()) / 1000},
		{Name: "go_goroutines", Help: "Goroutines.", Type: "gauge", Value: float64(runtime.NumGoroutine())},
	}
	if cpu, ok := processCPU(); ok {
		samples = append(samples, Sample{Name: "process_cpu_seconds_total", Help: "Processor time used.", Type: "counter", Value: cpu.Seconds()})
	}
	if rss, ok := processRSS(); ok {
		samples = append(samples, Sample{Name: "process_resident_memory_bytes", Help: "Resident memory.", Type: "gauge", Value: float64(rss)})
	}
	if s.opts.Samples != nil {
		samples = append(samples, s.opts.Samples()...)
	}
	writeSamples(&b, samples)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	_, _ = w.Write(b.Bytes())
}

// write writes the counters and histograms in a stable order.
func (m *metrics) write(b *bytes.Buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const requests, latency = "chitta_rpc_requests_total", "chitta_rpc_request_duration_seconds"
	writeHead(b, requests, "Requests by method and code; 0 is success.", "counter")
	keys := slices.SortedFunc(maps.Keys(m.requests), func(x, y requestKey) int {
		return cmp.Or(strings.Compare(x.method, y.method), cmp.Compare(y.code, x.code))
	})
	for _, k := range keys {
		writeLine(b, requests, [][2]string{{"method", k.method}, {"code", strconv.Itoa(k.code)}}, float64(m.requests[k]))
	}
	writeHead(b, latency, "Time from the first byte of a request to its answer.", "histogram")
	for _, method := range slices.Sorted(maps.Keys(m.latency)) {
		h, below := m.latency[method], int64(0)
		for i, bound := range m.bounds {
			below += h.counts[i]
			writeLine(b, latency+"_bucket", [][2]string{{"method", method}, {"le", formatFloat(bound)}}, float64(below))
		}
		writeLine(b, latency+"_bucket", [][2]string{{"method", method}, {"le", "+Inf"}}, float64(h.total))
		writeLine(b, latency+"_sum", [][2]string{{"method", method}}, h.sum)
		writeLine(b, latency+"_count", [][2]string{{"method", method}}, float64(h.total))
	}
}

func writeSamples(b *bytes.Buffer, samples []Sample) {
	last := ""
	for _, s := range samples {
		if s.Name != last {
			writeHead(b, s.Name, s.Help, s.Type)
			last = s.Name
		}
		writeLine(b, s.Name, s.Labels, s.Value)
	}
}

func writeHead(b *bytes.Buffer, name, help, kind string) {
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help)
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, cmp.Or(kind, "untyped"))
}

func writeLine(b *bytes.Buffer, name string, labels [][2]string, value float64) {
	b.WriteString(name)
	for i, l := range labels {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(l[0] + `="` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(l[1]) + `"`)
	}
	if len(labels) > 0 {
		b.WriteByte('}')
	}
	b.WriteString(" " + formatFloat(value) + "\n")
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
