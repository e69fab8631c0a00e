import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTLS
import ValiseXFTPWire

@testable import ValiseRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Setting a relay up, and what its folder has then.
struct RelayFolderTests {
    private static let now: Int64 = 1_700_000_000

    private static func settings(_ folder: RelayFolder) -> RelaySettings {
        RelaySettings(hosts: [.domain("relay.example.org")], port: 5443, files: folder.path(of: .files))
    }

    private static func make(
        _ parent: TemporaryFolder, _ algorithm: SigningAlgorithm = .ed25519,
        fileSystem: FileSystem = FileSystem()
    ) throws -> RelayFolder {
        let folder = RelayFolder(parent.appending("relay"), fileSystem: fileSystem)
        try folder.initialize(settings(folder), algorithm, now: now)
        return folder
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a new relay has an identity, a certificate and settings, for its owner alone`(
        algorithm: SigningAlgorithm
    ) throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = try Self.make(parent, algorithm)
        let contents = try folder.contents()
        #expect(contents.settings == Self.settings(folder) && contents.keepsAuthorityKey)
        #expect(contents.identity.chain.count == 2 && contents.identity.key.algorithm == algorithm)
        #expect(contents.identity.chain[0].commonName == "relay.example.org")
        let text = contents.address.text
        #expect(text == "xftp://\(Base64URL.encode(contents.fingerprint))@relay.example.org:5443")
        let fileSystem = FileSystem()
        #expect(try fileSystem.attributes(of: folder.path)?.permissions == .ownerReadWriteExecute)
        for entry in try fileSystem.list(folder.path) {
            let path = folder.path.appending(try #require(entry.name))
            let expected: FilePermissions =
                entry.kind == .directory ? .ownerReadWriteExecute : .ownerReadWrite
            #expect(try fileSystem.attributes(of: path)?.permissions == expected, "\(path)")
        }
    }

    @Test func `where a relay or anything else is, nothing is set up`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = try Self.make(parent)
        let before = try TemporaryFolder.contents(of: folder.path)
        #expect(throws: XFTPRelayError.self) {
            try folder.initialize(Self.settings(folder), .ed25519, now: Self.now)
        }
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
        let other = RelayFolder(parent.path)
        #expect(throws: XFTPRelayError.self) {
            try other.initialize(Self.settings(other), .ed25519, now: Self.now)
        }
        let error = #expect(throws: XFTPRelayError.self) { _ = try other.contents() }
        #expect(error?.remedy == .setUpRelay(parent.path) && error?.message == "no relay in this folder")
    }

    @Test func `killed at any moment, the next run sets it up`() throws {
        var number = 0
        while true {
            number += 1
            let parent = try TemporaryFolder("valise-relay", inMemory: true)
            let plan = FaultPlan(.crash, at: number)
            let first = try? Self.make(parent, fileSystem: FileSystem(interposer: plan))
            if first == nil, (try? RelayFolder(parent.appending("relay")).contents()) == nil {
                _ = try Self.make(parent).contents()
            }
            if !plan.wasReached { break }
        }
        #expect(number > 20)
    }

    @Test func `a renewal keeps the address, wherever it is killed`() throws {
        var number = 0
        while true {
            number += 1
            let parent = try TemporaryFolder("valise-relay", inMemory: true)
            let folder = try Self.make(parent)
            let before = try folder.contents()
            let key = parent.appending("ca.key")
            try FileSystem().rename(folder.path(of: .authorityKey), to: key)
            #expect(throws: XFTPRelayError.self) { try folder.renewCertificate(now: Self.now) }
            let plan = FaultPlan(.crash, at: number)
            let failing = RelayFolder(folder.path, fileSystem: FileSystem(interposer: plan))
            try? failing.renewCertificate(authorityKey: key, algorithm: .ed448, now: Self.now)
            let after = try folder.contents()
            #expect(after.address == before.address && !after.keepsAuthorityKey)
            try folder.renewCertificate(authorityKey: key, algorithm: .ed448, now: Self.now)
            #expect(try folder.contents().identity.key.algorithm == .ed448)
            #expect(try folder.contents().identity.chain[0] != before.identity.chain[0])
            if !plan.wasReached { break }
        }
        #expect(number > 8)
    }

    @Test func `several processes have one folder of certificates, and one of them renews for all`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let first = try Self.make(parent)
        let second = RelayFolder(parent.appending("second"))
        var settings = Self.settings(second)
        settings.identity = first.path
        try FileSystem().makeDirectory(second.path)
        try FileSystem().replace(second.path(of: .settings), with: Array(settings.text.utf8))
        let before = try second.contents()
        #expect(try first.contents().address == before.address && !before.keepsAuthorityKey)
        try second.renewCertificate(
            authorityKey: first.path(of: .authorityKey), algorithm: .ed448, now: Self.now)
        let after = try first.contents()
        #expect(after.address == before.address && after.identity.key.algorithm == .ed448)
        #expect(try second.contents().identity.chain == after.identity.chain)
    }

    /// What happened to names, in order.
    private final class Record: FileInterposer {
        let operations = Mutex<[FileOperation]>([])

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            operations.withLock { $0.append(operation) }
            return .proceed
        }
    }

    @Test func `a renewal's key is durable before its certificate takes the place of the previous`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = try Self.make(parent)
        let record = Record()
        try RelayFolder(folder.path, fileSystem: FileSystem(interposer: record)).renewCertificate(
            now: Self.now)
        let operations = record.operations.withLock { $0 }
        func place(_ name: RelayFolder.Name) throws -> Int {
            let path = folder.path(of: name)
            return try #require(
                operations.firstIndex(of: .rename(path.appendingSuffix(".new"), to: path)))
        }
        let between = operations[try place(.key)..<(try place(.certificate))]
        #expect(between.contains(.synchronize(folder.path)))
        #expect(operations.last == .synchronize(folder.path))
    }

    @Test func `nobody but the owner of the folder runs or changes the relay`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        var folder = try Self.make(parent)
        let before = try TemporaryFolder.contents(of: folder.path)
        folder.user += 1
        let other = folder
        let attempts: [() throws -> Void] = [
            { _ = try other.contents() }, { try other.renewCertificate(now: Self.now) },
            { try other.initialize(Self.settings(other), .ed25519, now: Self.now) },
        ]
        for attempt in attempts {
            do {
                try attempt()
                Issue.record("another user was let in")
            } catch {
                #expect((error as? XFTPRelayError)?.code == .denied)
            }
        }
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
    }

    @Test func `certificates that browsers know may be links, as those who fetch them keep them`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = RelayFolder(parent.appending("relay"))
        let authority = try CertificateAuthority.make(.ed25519, now: Self.now)
        let key = try SigningKey.generate(.ed25519)
        let leaf = try authority.issue(commonName: "relay.example.org", for: key, now: Self.now)
        let (archive, live) = (parent.appending("archive"), parent.appending("live"))
        for folder in [archive, live] { try FileSystem().makeDirectory(folder) }
        let chain = try leaf.pem() + authority.certificate.pem()
        try FileSystem().replace(archive.appending("fullchain1.pem"), with: chain)
        let pem = try key.pem()
        try FileSystem().replace(archive.appending("privkey1.pem"), with: pem.withBytes { Array($0) })
        for name in ["fullchain", "privkey"] {
            try #require(symlink("../archive/\(name)1.pem", live.appending("\(name).pem").string) == 0)
        }
        var settings = Self.settings(folder)
        settings.web = .init(
            certificate: live.appending("fullchain.pem"), key: live.appending("privkey.pem"))
        try folder.initialize(settings, .ed25519, now: Self.now)
        let web = try #require(try folder.contents().webIdentity)
        #expect(web.chain == [leaf, authority.certificate])
        try FileSystem().remove(archive.appending("privkey1.pem"))
        #expect(throws: (any Error).self) { _ = try folder.contents() }
    }

    @Test func `parts that do not belong together are refused`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = try Self.make(parent)
        let other = RelayFolder(parent.appending("other"))
        try other.initialize(Self.settings(other), .ed25519, now: Self.now)
        for name in [RelayFolder.Name.fingerprint, .authorityCertificate, .certificate, .key] {
            let mine = try FileSystem().contents(of: folder.path(of: name), limit: 1 << 16)
            let foreign = try FileSystem().contents(of: other.path(of: name), limit: 1 << 16)
            try FileSystem().replace(folder.path(of: name), with: foreign)
            #expect(throws: (any Error).self, "\(name)") { _ = try folder.contents() }
            try FileSystem().replace(folder.path(of: name), with: mine)
        }
        _ = try folder.contents()
    }
}
