/// A process, told apart from every other that had or will have its number.
package struct JobProcess: Sendable, Equatable {
    package let number: Int32
    /// When it was started, in whatever unit the system counts.
    package let start: Int64
    /// In which space of process numbers: containers have their own.
    package let space: String

    package init(number: Int32, start: Int64, space: String) {
        self.number = number
        self.start = start
        self.space = space
    }
}

/// What a queue knows of the processes of this machine.
package struct JobProcesses: Sendable {
    /// The one that uses the queue.
    package let current: JobProcess
    private let look: @Sendable (JobProcess) -> Bool

    /// - Parameters:
    ///   - current: this process.
    ///   - isGone: gets a process of this boot; true only where it is certain.
    package init(current: JobProcess, isGone: @escaping @Sendable (JobProcess) -> Bool) {
        self.current = current
        look = isGone
    }

    func isGone(_ process: JobProcess) -> Bool { process != current && look(process) }

    /// This process among those of the machine.
    package static let system = JobProcesses(
        current: SystemProcess.current, isGone: { SystemProcess.isGone($0) })
}
