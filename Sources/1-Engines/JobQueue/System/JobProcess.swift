/// A process, told apart from every other that had or will have its number.
public struct JobProcess: Sendable, Equatable {
    public let number: Int32
    /// When it was started, in whatever unit the system counts.
    public let start: Int64
    /// In which space of process numbers: containers have their own.
    public let space: String

    public init(number: Int32, start: Int64, space: String) {
        self.number = number
        self.start = start
        self.space = space
    }
}

/// What a queue knows of the processes of this machine.
public struct JobProcesses: Sendable {
    /// The one that uses the queue.
    public let current: JobProcess
    private let look: @Sendable (JobProcess) -> Bool

    /// - Parameters:
    ///   - current: this process.
    ///   - isGone: gets a process of this boot; true only where it is certain.
    public init(current: JobProcess, isGone: @escaping @Sendable (JobProcess) -> Bool) {
        self.current = current
        look = isGone
    }

    func isGone(_ process: JobProcess) -> Bool { process != current && look(process) }

    /// This process among those of the machine.
    public static let system = JobProcesses(
        current: SystemProcess.current, isGone: { SystemProcess.isGone($0) })
}
