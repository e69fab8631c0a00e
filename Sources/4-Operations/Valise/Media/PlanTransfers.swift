public import SystemPackage
public import ValiseFailures
package import ValiseMedia
public import ValiseMediaRules

/// Says how files would be transferred by the rules of the service, and sends nothing.
public struct PlanTransfers: Operation {
    package var files: [FilePath]
    /// To send them as this kind, whatever they are.
    package var kind: MediaKind?
    package var transport = TransferProtocol.xftp

    /// - Parameters:
    ///   - files: the files that would be transferred.
    ///   - kind: to send them as this kind, whatever they are.
    public init(of files: [FilePath], as kind: MediaKind? = nil) {
        self.files = files
        self.kind = kind
    }

    /// - Throws: why the only file cannot be looked at. One of several does not stop the others.
    public func run(in context: OperationContext) async throws -> PlannedTransfers {
        try await context.blocking { _ in
            var planned = PlannedTransfers()
            for path in files {
                do {
                    let file = try MediaFile(path)
                    planned.files.append(
                        PlannedTransfer(path: path, file, try file.plan(as: kind, by: transport)))
                } catch let failure as any Failure where files.count > 1 {
                    context.tell(failure, of: path.string)
                    planned.failures.append(failure)
                }
            }
            return planned
        }
    }
}

/// How files would be transferred.
public struct PlannedTransfers: Sendable {
    /// Those that could be looked at.
    public fileprivate(set) var files: [PlannedTransfer] = []
    /// Of the others.
    public fileprivate(set) var failures: [any Failure] = []
}

/// How one file would be transferred.
public struct PlannedTransfer: Encodable, Sendable {
    /// The file.
    public let path: FilePath
    package let file: MediaFile
    /// By the rules of the service.
    public let plan: TransferPlan

    init(path: FilePath, _ file: MediaFile, _ plan: TransferPlan) {
        (self.path, self.file, self.plan) = (path, file, plan)
    }

    /// The rule that decides, in a sentence for the user.
    public var message: String { plan.reason.sentence }

    /// Why its length is not known, or what of the file cannot be understood; nil where there is nothing to say.
    package var note: String? {
        if let defect = file.defect { return defect.message }
        let isOpen = plan.kind == .voice && file.duration == nil && plan.route != .local
        return isOpen ? "unknown duration; the service accepts at most \(MediaLimits.voiceSeconds) s" : nil
    }

    private enum Key: CodingKey {
        case path, kind, format, size, duration, route, reason, message, receivedUnasked, possibleByLink
        case chunks, encryptedSize, note
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path.string, forKey: .path)
        try container.encode(plan.kind, forKey: .kind)
        try container.encodeIfPresent(file.format, forKey: .format)
        try container.encode(file.size, forKey: .size)
        try container.encodeIfPresent(file.duration, forKey: .duration)
        try container.encode(plan.route, forKey: .route)
        try container.encode(plan.reason, forKey: .reason)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(plan.isReceivedUnasked, forKey: .receivedUnasked)
        try container.encode(plan.isPossibleByLink, forKey: .possibleByLink)
        try container.encodeIfPresent(plan.chunks?.runs, forKey: .chunks)
        try container.encodeIfPresent(plan.chunks?.encryptedSize, forKey: .encryptedSize)
        try container.encodeIfPresent(note, forKey: .note)
    }
}
