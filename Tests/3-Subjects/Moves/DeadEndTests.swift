import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseTransfers

@testable import ValiseMoves

/// A disk that says from some moment on that nothing is free.
private final class FillingDisk: FileInterposer {
    private let isFull = Atomic(false)

    func fill() { isFull.store(true, ordering: .relaxed) }
    func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
    func freeSpace(_ space: Int64) -> Int64 { isFull.load(ordering: .relaxed) ? 0 : space }
}

/// Ways that were dead ends once.
@Suite struct DeadEndTests {
    /// The path of the record of the only move of a machine.
    private func record(_ bench: MoveBench, _ machine: MoveBench.Machine) throws -> FilePath {
        let remains = try bench.remains(machine)
        let name = try #require(remains.first { $0.hasPrefix("moves/") && $0.hasSuffix("move.json") })
        return bench.path.appending("home-\(machine.rawValue)").pushing(FilePath(name))
    }

    /// Sends anew, to relays that take nothing from then on.
    private func failRenewal(_ bench: MoveBench) async {
        struct Away: Error {}
        bench.relays.beforeUpload { _ in throw Away() }
        await #expect(throws: (any Error).self) {
            try await bench.move(.old).renew(
                bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        }
    }

    // MARK: Sending

    @Test("A file that cannot be read is told and stays behind, and the rest moves with equal words")
    func unreadableMedia() async throws {
        let bench = try MoveBench()
        let lost = try #require(
            try FileSystem().list(bench.old.filesFolder).filter { $0.kind == .regular }.compactMap(\.name)
                .min())
        let reads = ReadInterposer { path, _ in
            path.lastComponent?.string == lost ? .fail(.ioError) : .proceed
        }
        let sent = try await bench.send(bench.move(.old, FileSystem(interposer: reads)))
        #expect(sent.archiveErrors.count == 1)
        let received = try await bench.receive(sent.source)
        #expect(received.words == sent.words)
        #expect(try !FileSystem().exists(bench.new.filesFolder.appending(lost)))
    }

    @Test("Before anything is sent, another archive file may be chosen")
    func otherArchive() async throws {
        let bench = try MoveBench()
        let taken = bench.path.appending("taken.zip")
        try FileSystem().replace(taken, with: [1])
        await #expect(throws: AccountArchiveError.self) {
            try await bench.send(nil, SendOptions(.file(taken, packs: false)))
        }
        let free = bench.path.appending("free.zip")
        let sent = try await bench.send(nil, SendOptions(.file(free, packs: false)))
        #expect(sent.archive == free)
        #expect(try bench.move(.old).moves().count == 1)
        // Afterwards that is another move.
        #expect(
            try await kind { try await bench.send(nil, SendOptions(.file(taken, packs: false))) }
                == .wrongState)
        #expect(try await kind { try await bench.send() } == .wrongState)
    }

    @Test("An account that was used since is told with a way that works, over relays and with a file")
    func usedSince() async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("stick.zip")
        let options = SendOptions(.file(archive, packs: false))
        let words = try await bench.send(nil, options).words
        try bench.use(bench.old)
        for operation in [
            { _ = try await bench.send(nil, options) },
            { _ = try await bench.move(.old).finish(bench.old, words: words) },
        ] {
            let error = await #expect(throws: DeviceMigrationError.self) { try await operation() }
            #expect(error?.kind == .sourceChanged)
            #expect(error?.remedy == .cancelMoveAndRemove(Remedy.Account(bench.old), archive: archive))
        }
        #expect(try await bench.move(.old).cancel(bench.old).archiveLeft == archive.string)
        try FileSystem().remove(archive)
        _ = try await bench.send(nil, options)
    }

    @Test("What a killed run had sent whole, and relays keep no longer, is sent again")
    func expiredBeforeShown() async throws {
        let bench = try MoveBench()
        let killed = bench.move(.old) { if $0 == .sending(.linkShown) { throw Killed() } }
        let early = bench.move(.old) { if $0 == .sending(.linkCreation) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.send(early) }
        bench.later.withLock { $0 = 3 * 24 * 3600 }
        bench.relays.expireAll()
        let uploads = bench.relays.uploads
        await #expect(throws: Killed.self) { try await bench.send(killed) }
        #expect(bench.relays.uploads > uploads)
        let sent = try await bench.send()
        #expect(try await bench.receive(sent.source).words == sent.words)
    }

    @Test("While a renewal fails, a move by the previous link can be finished")
    func finishedDuringRenewal() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await failRenewal(bench)
        bench.relays.beforeUpload(nil)
        let received = try await bench.receive(sent.source)
        #expect(received.words == sent.words)
        let report = try await bench.move(.old).finish(bench.old, words: received.words)
        #expect(report.source == .retired)
        #expect(bench.relays.stored == 0)
    }

    @Test("A first sending that was interrupted cannot be finished")
    func notFinishedBefore() async throws {
        let bench = try MoveBench()
        let killed = bench.move(.old) { if $0 == .sending(.linkCreation) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.send(killed) }
        let words = try #require(try bench.move(.old).moves().first?.words)
        #expect(try await kind { try await bench.move(.old).finish(bench.old, words: words) } == .wrongState)
    }

    // MARK: Removing

    @Test("An account that was brought back is not removed, nor said to be")
    func restoredThenRemoved() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        _ = try await bench.move(.old).finish(bench.old, words: sent.words)
        let retirement = AccountRetirement(bench.old)
        try retirement.undo()
        let before = try MoveBench.contents(bench.old)
        #expect(
            try await kind {
                try await bench.move(.old).finish(bench.old, words: sent.words, removesSource: true)
            } == .notRetired)
        #expect(try MoveBench.contents(bench.old) == before)
    }

    @Test("Media that a new account may have stay, and that is said")
    func mediaLeft() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let report = try await bench.move(.old).finish(bench.old, words: sent.words)
        #expect(!report.mediaLeft)
        // As an app does that is started: it does not know the mark.
        for database in AccountDatabase.allCases {
            try FileSystem().replace(bench.old.path(of: database), with: [1])
        }
        let removed = try await bench.move(.old).finish(
            bench.old, words: sent.words, removesSource: true)
        #expect(removed.mediaLeft)
        #expect(try FileSystem().exists(bench.old.filesFolder))
    }

    @Test("An archive that is not there any more is not said to be", arguments: [false, true])
    func archiveGone(isGone: Bool) async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("stick.zip")
        let sent = try await bench.send(nil, SendOptions(.file(archive, packs: false)))
        if isGone { try FileSystem().remove(archive) }
        let report = try await bench.move(.old).finish(bench.old, words: sent.words)
        #expect(report.archive == archive.string)
        #expect(report.archiveLeft == (isGone ? nil : archive.string))
    }

    // MARK: Receiving

    @Test("A link that claims the largest size is refused for want of room")
    func hugeLink() async throws {
        let bench = try MoveBench()
        let link = try await bench.send().texts[0]
        let redirect = try #require(link.range(of: "redirect%3A"))
        let size = try #require(link.range(of: "size%3A%20", range: redirect.upperBound..<link.endIndex))
        let huge =
            link[..<size.upperBound] + "9223372036854775807"
            + link[size.upperBound...].drop { $0.isNumber || $0.isLetter }
        let info = try LinkSet([String(huge)]).info
        #expect(info.parts.map(\.size) == [.max])
        #expect(info.spaceNeeded == .max)
        #expect(try await kind { try await bench.receive(.links([String(huge)])) } == .noSpace)
        #expect(bench.relays.downloads == 0)
    }

    @Test("Where a schema cannot be migrated, it may be left as it is")
    func failedMigration() async throws {
        let name = SchemaLineage.chat.migrations[17].name
        let bench = try MoveBench(sample: false, schema: [.chat: name])
        let sent = try await bench.send()
        let disk = FillingDisk()
        let filled = bench.move(.new, FileSystem(interposer: disk)) {
            if $0 == .receiving(.migration) { disk.fill() }
        }
        await #expect(throws: MaintenanceError.self) { try await bench.receive(sent.source, filled) }
        #expect(try bench.move(.new).moves().map(\.state) == ["migrationConfirmation"])
        var questions = MoveBench.questions()
        questions.upgradesSchema = { _ in false }
        let received = try await bench.receive(nil, asking: questions)
        #expect(received.schema.outcome == .declined)
        #expect(received.words == sent.words)
    }

    // MARK: Records

    @Test("Of two moves of an account the one that was named is cancelled")
    func namedCancel() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let killed = bench.move(.new) { if $0 == .receiving(.networkSettings) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.receive(sent.source, killed) }
        // Sent on, from where it is being received.
        let onward = try await bench.move(.new).send(
            bench.new, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        let receiving = try #require(try bench.move(.new).moves().first { $0.side == .receiving })
        let report = try await bench.move(.new).cancel(bench.new, id: receiving.id)
        #expect(report.side == .receiving && report.accountStays)
        #expect(try bench.move(.new).moves().map(\.id) == [onward.id])
        #expect(try await bench.move(.new).sent(bench.new).words == onward.words)
    }

    @Test("A record that cannot be opened keeps nobody from another move, and can be forgotten")
    func deniedRecord() async throws {
        let bench = try MoveBench()
        let denied = bench.path.appending("home-old/moves/other/move.json")
        try FileSystem().makeDirectories(denied.removingLastComponent())
        try FileSystem().replace(denied, with: [1])
        let reads = ReadInterposer { path, _ in path == denied ? .fail(.permissionDenied) : .proceed }
        let fileSystem = FileSystem(interposer: reads)
        let sent = try await bench.send(bench.move(.old, fileSystem))
        let summaries = try bench.move(.old, fileSystem).moves()
        #expect(Set(summaries.map(\.isDamaged)) == [true, false])
        _ = try await bench.move(.old, fileSystem).finish(bench.old, words: sent.words)
        await #expect(throws: FileError.self) { try await bench.move(.old, fileSystem).forget("other") }
        try await bench.move(.old).forget("other")
        #expect(try bench.move(.old).moves().map(\.id) == [sent.id])
    }

    @Test("With a record that cannot be read its keys go, and what was received")
    func forgotten() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let killed = bench.move(.new) { if $0 == .receiving(.passphrase) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.receive(sent.source, killed) }
        let (sending, receiving) = (try record(bench, .old), try record(bench, .new))
        let refused = await #expect(throws: DeviceMigrationError.self) {
            try await bench.move(.old).forget(sent.id)
        }
        #expect(refused?.kind == .wrongState)
        let move = try #require(try bench.move(.old).moves().first)
        let account = Remedy.Account(directory: FilePath(move.directory), prefix: move.prefix)
        #expect(refused?.remedy == .continueOrCancelMove(account))
        try FileSystem().replace(sending, with: [1])
        let text = String(decoding: try FileSystem().contents(of: receiving, limit: 1 << 20), as: UTF8.self)
        try FileSystem().replace(
            receiving, with: Array(text.replacing(#""state""#, with: #""stat""#).utf8))
        for machine in [MoveBench.Machine.old, .new] {
            let move = try #require(try bench.move(machine).moves().first)
            #expect(move.isDamaged)
            try await bench.move(machine).forget(move.id)
            #expect(try bench.remains(machine).isEmpty)
        }
        let names = try FileSystem().list(bench.path).compactMap(\.name)
        #expect(names.allSatisfy { !$0.hasPrefix(".move-") }, "\(names)")
    }

    @Test("A record of a newer version is told, and nothing is begun beside it")
    func newerRecord() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let path = try record(bench, .old)
        let text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        let newer = text.replacing(#""version":1"#, with: #""version":2"#)
        try #require(newer != text)
        try FileSystem().replace(path, with: Array(newer.utf8))
        #expect(try await kind { try await bench.send() } == .unsupported)
        #expect(
            try await kind { try await bench.move(.old).finish(bench.old, words: sent.words) }
                == .unsupported)
        let summary = try #require(try bench.move(.old).moves().first)
        #expect(summary.isNewer && !summary.isDamaged && summary.id == sent.id)
        #expect(try await kind { try await bench.move(.old).forget(sent.id) } == .unsupported)
        try FileSystem().replace(path, with: Array(text.utf8))
        #expect(try await bench.send().words == sent.words)
    }

    @Test("During a renewal a mark of somebody else is no reason to retire the account")
    func foreignMark() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await failRenewal(bench)
        let stored = bench.relays.stored
        try RetiredMark(moved: nil, words: nil, tool: nil).write(bench.old, fileSystem: FileSystem())
        await #expect(throws: AccountError.self) {
            try await bench.move(.old).finish(bench.old, words: sent.words)
        }
        #expect(bench.relays.stored == stored)
        #expect(try FileSystem().exists(bench.old.path(of: .chat)))
    }
}
