/// Tells a monitor that something began, succeeded or failed.
package struct PingMonitor: Operation {
    package var monitor: MonitorAddress
    package var event: MonitorAddress.Event

    package init(_ monitor: MonitorAddress, _ event: MonitorAddress.Event) {
        self.monitor = monitor
        self.event = event
    }

    /// One that cannot be reached is only noted: what is monitored went as it went.
    package func run(in context: OperationContext) async throws { await monitor.report(event, in: context) }
}
