package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Lists the guards beside a store, those in a folder, or one.
package struct ListSessionGuards: Operation {
    /// A store, a folder with guards, or a guard.
    package var path: FilePath
    /// Whether every file is compared with the record of its guard.
    package var verifies = false
    var fileSystem = FileSystem()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ path: FilePath) { self.path = path }

    /// - Throws: ``OperationError`` with `notFound`; `FileError`.
    package func run(in context: OperationContext) async throws -> ListedSessionGuards {
        try await context.blocking { progress in
            let (place, paths) = try find()
            let guards = try paths.map { try entry($0, progress) }.sorted { $0.order < $1.order }
            let isPending =
                try place == path ? SessionSwap.pending(fileSystem.resolve(path), fileSystem) != nil : false
            return ListedSessionGuards(place: place.string, isRestorePending: isPending, guards: guards)
        }
    }

    private func find() throws -> (place: FilePath, guards: [FilePath]) {
        guard try fileSystem.isDirectory(path) else {
            throw OperationError(.notFound, "no such folder", subject: path.string)
        }
        if try GuardFolder.isOne(path, fileSystem) { return (path, [path]) }
        let folder = try fileSystem.resolve(path)
        guard try SessionPlace.find(path) != nil || SessionSwap.pending(folder, fileSystem) != nil else {
            return (path, try GuardFolder.paths(in: path, lead: "", fileSystem))
        }
        let lead = (folder.lastComponent?.string ?? "") + GuardFolder.infix
        return (path, try GuardFolder.paths(in: folder.parentFolder, lead: lead, fileSystem))
    }

    private func entry(_ path: FilePath, _ progress: ProgressHandler) throws -> ListedSessionGuard {
        let guarded: GuardFolder
        do {
            guarded = try GuardFolder(path, fileSystem)
        } catch  where Self.isOfOne(error) {
            return ListedSessionGuard(path, error)
        }
        var entry = ListedSessionGuard(guarded, now: clock())
        guard verifies else { return entry }
        do {
            try guarded.verifyFiles(progress)
            entry.state = .intact
        } catch  where Self.isOfOne(error) {
            entry.state = .damaged
            entry.problem = error.sentence
        }
        return entry
    }

    /// Whether a failure is told of with its guard: one that cannot be read does not hide the others.
    private static func isOfOne(_ error: any Error) -> Bool {
        if error is FileError { return true }
        let code = (error as? OperationError)?.code
        return code == .damaged || code == .newer
    }
}

/// Guards of stores of Session.
package struct ListedSessionGuards: OperationReport {
    /// The store, the folder or the guard.
    package let place: String
    /// Whether a restore of the store was interrupted.
    package let isRestorePending: Bool
    /// The oldest first, and last those whose time is not known.
    package let guards: [ListedSessionGuard]

    /// Whether none is damaged, as far as that was looked at.
    package var isIntact: Bool { guards.allSatisfy { $0.state != .damaged } }
}

/// A guard in a list.
package struct ListedSessionGuard: Encodable, Sendable {
    /// Whether it is what its record says.
    package enum State: String, Encodable, Sendable {
        case unverified, intact, damaged
        /// A newer version of the program wrote it.
        case newer
    }

    package let path: String
    package internal(set) var state: State
    /// What is wrong with it; nil for nothing.
    package internal(set) var problem: String?
    /// In UTC. Nil, as all that follows, where the record cannot be read.
    package private(set) var taken: String?
    /// In seconds.
    package private(set) var age: Int64?
    package private(set) var program: SessionPlace.Kind?
    /// Where the store was.
    package private(set) var store: String?
    package private(set) var content: GuardedContent?
    /// In bytes.
    package private(set) var size: Int64?

    init(_ guarded: GuardFolder, now: Int64) {
        path = guarded.path.string
        state = .unverified
        let record = guarded.record
        (taken, program, store) = (record.taken, record.program, record.source.path)
        (content, size) = (record.content, record.size)
        age = UTCTime(record.taken).map { max(0, now - $0.seconds) }
    }

    init(_ path: FilePath, _ error: any Error) {
        self.path = path.string
        state = (error as? OperationError)?.code == .newer ? .newer : .damaged
        problem = error.sentence
    }

    /// By this they are sorted.
    fileprivate var order: (time: Int64, path: String) {
        (taken.flatMap { UTCTime($0)?.seconds } ?? .max, path)
    }
}
