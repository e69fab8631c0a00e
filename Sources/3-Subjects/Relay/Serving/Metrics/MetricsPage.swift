import NIOCore
import Synchronization

/// What a relay says of itself to programs that watch it.
final class MetricsPage: Sendable {
    struct Answer: Sendable {
        let status: Int
        var type = "text/plain; charset=utf-8"
        let text: String
    }

    let metrics = PrometheusMetrics()
    let health: RelayHealth

    /// - Parameters:
    ///   - version: of the program.
    ///   - started: in seconds since 1970.
    init(version: String, started: Int64, health: RelayHealth = RelayHealth()) {
        self.health = health
        metrics.collect { text in
            text.begin("valise_relay_info", .gauge, "The relay")
            text.add("valise_relay_info", MetricLabels([("version", version)]), 1)
            text.add(
                "valise_relay_start_time_seconds", .gauge, "When the relay started, in seconds since 1970",
                Double(started))
        }
    }

    func answer(_ path: String, on eventLoop: any EventLoop) -> EventLoopFuture<Answer> {
        switch path {
        case "/health": eventLoop.makeSucceededFuture(Answer(status: 200, text: "alive\n"))
        case "/ready":
            health.obstacle(on: eventLoop).map { obstacle in
                Answer(status: obstacle == nil ? 200 : 503, text: "\(obstacle ?? "ready")\n")
            }
        case "/metrics":
            health.usage(on: eventLoop).map { [self] usage in
                var text = MetricText()
                text.add(
                    "valise_relay_store_up", .gauge, "1 if the store can be reached", usage == nil ? 0 : 1)
                usage?.write(to: &text)
                return Answer(status: 200, type: MetricText.type, text: metrics.text + text.text)
            }
        default: eventLoop.makeSucceededFuture(Answer(status: 404, text: "not found\n"))
        }
    }
}
