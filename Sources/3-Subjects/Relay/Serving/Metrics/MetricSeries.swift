import CoreMetrics
import Synchronization

/// The values of one metric with the same labels.
protocol MetricSeries: AnyObject, Sendable {
    func write(_ name: String, _ labels: MetricLabels, to text: inout MetricText)
}

/// What only grows.
final class CounterSeries: CounterHandler, MetricSeries {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        if amount > 0 { value.wrappingAdd(amount, ordering: .relaxed) }
    }

    func reset() { value.store(0, ordering: .relaxed) }

    func write(_ name: String, _ labels: MetricLabels, to text: inout MetricText) {
        text.add(name, labels, Double(value.load(ordering: .relaxed)))
    }
}

/// What goes up and down.
final class GaugeSeries: RecorderHandler, MetricSeries {
    private let value = Mutex(0.0)

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { self.value.withLock { $0 = value } }

    func write(_ name: String, _ labels: MetricLabels, to text: inout MetricText) {
        text.add(name, labels, value.withLock { $0 })
    }
}

/// How often values were in certain ranges, such as times in seconds.
final class HistogramSeries: TimerHandler, RecorderHandler, MetricSeries {
    /// The upper ends of the ranges: from a lookup in memory to the longest download.
    static let bounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900,
    ]

    private struct State {
        var counts = [Int64](repeating: 0, count: bounds.count + 1)
        var sum = 0.0
    }

    private let state = Mutex(State())

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let place = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[place] += 1
            state.sum += value
        }
    }

    func write(_ name: String, _ labels: MetricLabels, to text: inout MetricText) {
        let state = state.withLock { $0 }
        var count: Int64 = 0
        for (index, part) in state.counts.enumerated() {
            count += part
            let bound = index < Self.bounds.count ? MetricText.number(Self.bounds[index]) : "+Inf"
            text.add("\(name)_bucket", labels.adding("le", bound), Double(count))
        }
        text.add("\(name)_sum", labels, state.sum)
        text.add("\(name)_count", labels, Double(count))
    }
}
