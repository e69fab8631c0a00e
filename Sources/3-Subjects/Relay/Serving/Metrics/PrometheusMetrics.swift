package import CoreMetrics
import Synchronization

/// Metrics of swift-metrics, in the text format of Prometheus (version 0.0.4).
///
/// Names are those that the metrics have, with underscores for what the format does not allow. What somebody else counts anyway is
/// not counted twice: a closure writes it when the text is made (``collect(_:)``).
package final class PrometheusMetrics: MetricsFactory {
    /// Whoever makes names or labels of what clients send would fill the memory: behind this many series new ones are not shown.
    static let mostSeries = 1000

    private struct Family {
        let kind: MetricKind
        var series: [MetricLabels: any MetricSeries] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var helps: [String: String] = [:]
        var count = 0
        var collectors: [@Sendable (inout MetricText) -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Says what a metric counts.
    package func describe(_ name: String, _ help: String) {
        state.withLock { $0.helps[MetricText.name(name)] = help }
    }

    /// Adds what is written at the end of each text.
    /// - Parameter collector: must not block.
    package func collect(_ collector: @escaping @Sendable (inout MetricText) -> Void) {
        state.withLock { $0.collectors.append(collector) }
    }

    /// All metrics as they are now.
    package var text: String {
        let (families, helps, collectors) = state.withLock { ($0.families, $0.helps, $0.collectors) }
        var text = MetricText()
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text.begin(name, family.kind, helps[name] ?? name)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.write(name, labels, to: &text)
            }
        }
        for collector in collectors { collector(&text) }
        return text.text
    }

    private func series<Series: MetricSeries>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricKind, _ make: () -> Series
    ) -> Series {
        let (name, labels) = (MetricText.name(label), MetricLabels(dimensions))
        return state.withLock { state in
            var family = state.families[name] ?? Family(kind: kind)
            if let series = family.series[labels] as? Series { return series }
            let made = make()
            guard family.kind == kind, family.series[labels] == nil, state.count < Self.mostSeries else {
                return made
            }
            family.series[labels] = made
            state.families[name] = family
            state.count += 1
            return made
        }
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { CounterSeries() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? series(label, dimensions, .histogram) { HistogramSeries() }
            : series(label, dimensions, .gauge) { GaugeSeries() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram) { HistogramSeries() }
    }

    // A relay's metrics stay until it ends: what a scrape has seen once must not begin again from zero.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
