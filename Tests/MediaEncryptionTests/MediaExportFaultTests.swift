import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

struct MediaExportFaultTests {
    private func makeAccount() throws -> OfficialAccount {
        let account = try OfficialAccount()
        for number in 0..<6 {
            try account.add("f\(number % 4).txt", Array("content \(number % 5)".utf8)) {
                $0.isEncrypted = number % 2 == 0
                $0.chat = number < 3 ? .contact(1) : .group(1)
            }
        }
        return account
    }

    @Test(arguments: [FaultPlan.Fault.crash, .fail(.ioError), .fail(.noSpace), .shortWrite])
    func `failed at each operation, what has a name is whole, and the next run does the rest`(
        _ fault: FaultPlan.Fault
    ) throws {
        let account = try makeAccount()
        let contents = Set((0..<5).map { Array("content \($0)".utf8) })
        var position = 1
        while true {
            try account.fileSystem.removeTree(account.out)
            let plan = FaultPlan(fault, at: position)
            do {
                _ = try account.export(plan)
            } catch let error as MediaEncryptionError {
                #expect([.noSpace, .interrupted].contains(error.code))
            } catch is FileError {}
            if try account.fileSystem.exists(account.out) {
                for (path, bytes) in try account.exported() where !path.hasPrefix(".valise-export") {
                    #expect(contents.contains(bytes), "\(fault) at \(position): \(path)")
                }
            }
            try account.export()
            try account.checkExport(rows: 6)
            #expect(try account.exported().count == 6, "\(fault) at \(position)")
            guard plan.wasReached else { break }
            position += 1
        }
        #expect(position > 20)
    }

    @Test func `a full disk ends with its own code, and what is there is whole`() throws {
        let account = try makeAccount()
        // The folders and the first copies.
        let error = #expect(throws: MediaEncryptionError.self) {
            try account.export(FaultPlan(.fail(.noSpace), at: 8))
        }
        #expect(error?.code == .noSpace)
        try account.export()
        try account.checkExport(rows: 6)
    }

    @Test func `an interrupted run keeps what is done, and the next one goes on`() throws {
        let account = try OfficialAccount()
        for number in 0..<300 { try account.add("f.txt", Array("content \(number)".utf8)) }
        let error = #expect(throws: MediaEncryptionError.self) {
            try MediaExport().run(account.location, to: account.out, passphrase: .empty()) { progress in
                // When the first batch of 128 is done.
                if progress.completed > 1500 { throw TestInterruption() }
            }
        }
        #expect(error?.code == .interrupted)
        let kept = try account.exported().count
        #expect(kept > 0 && kept < 300)
        let report = try account.export()
        #expect(report.unchanged == kept && report.copied == 300 - kept)
        try account.checkExport(rows: 300)
    }
}
