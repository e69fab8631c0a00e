package import SystemPackage
import ValiseFailures
package import ValiseMedia
package import ValiseMediaRules

/// Says how files would be transferred by the rules of the service, and sends nothing.
package struct PlanTransfers: Operation {
    package var files: [FilePath]
    /// To send them as this kind, whatever they are.
    package var kind: MediaKind?
    package var transport = TransferProtocol.xftp

    package init(of files: [FilePath]) { self.files = files }

    /// - Throws: why the only file cannot be looked at. One of several does not stop the others.
    package func run(in context: OperationContext) async throws -> PlannedTransfers {
        try await context.blocking { _ in
            var planned = PlannedTransfers()
            for path in files {
                do {
                    let file = try MediaFile(path)
                    planned.files.append(
                        PlannedTransfer(path: path, file, try file.plan(as: kind, by: transport)))
                } catch let failure as any Failure where files.count > 1 {
                    planned.failures.append(failure)
                }
            }
            return planned
        }
    }
}

/// How files would be transferred.
package struct PlannedTransfers: Sendable {
    package fileprivate(set) var files: [PlannedTransfer] = []
    /// Of the others.
    package fileprivate(set) var failures: [any Failure] = []
}

/// How one file would be transferred.
package struct PlannedTransfer: Encodable, Sendable {
    package let path: FilePath
    package let file: MediaFile
    package let plan: TransferPlan

    init(path: FilePath, _ file: MediaFile, _ plan: TransferPlan) {
        (self.path, self.file, self.plan) = (path, file, plan)
    }

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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path.string, forKey: .path)
        try container.encode(plan.kind, forKey: .kind)
        try container.encodeIfPresent(file.format, forKey: .format)
        try container.encode(file.size, forKey: .size)
        try container.encodeIfPresent(file.duration, forKey: .duration)
        try container.encode(plan.route, forKey: .route)
        try container.encode(plan.reason, forKey: .reason)
        try container.encode(plan.reason.sentence, forKey: .message)
        try container.encodeIfPresent(plan.isReceivedUnasked, forKey: .receivedUnasked)
        try container.encode(plan.isPossibleByLink, forKey: .possibleByLink)
        try container.encodeIfPresent(plan.chunks?.runs, forKey: .chunks)
        try container.encodeIfPresent(plan.chunks?.encryptedSize, forKey: .encryptedSize)
        try container.encodeIfPresent(note, forKey: .note)
    }
}
