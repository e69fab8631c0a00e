import Valise

/// How many media files an account has, by extension.
struct MediaCount: OperationReport {
    let files: [String: Int]
}

/// Counts an account's media files by extension. Changes nothing.
struct CountMedia: Operation {
    var account: AccountLocation

    func run(in context: OperationContext) async throws -> MediaCount {
        try await BlockingExecutor.shared.run {
            var counts: [String: Int] = [:]
            try AccountReader(account).media.forEach { name, _ in
                if Task.isCancelled { throw Interruption() }
                counts[FilePath(name).extension ?? "", default: 0] += 1
                context.events(.progress(OperationProgress("counting \(name)")))
            }
            return MediaCount(files: counts)
        }
    }
}
