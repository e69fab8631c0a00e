import Fuzzing
import ValisePages

@testable import ValiseMaintenance

/// All that reads an encrypted file whose key is known.
enum FileReaders {
    /// - Parameter damaged: the index of the page that was changed, for a file with HMACs.
    static func run(_ file: EncryptedDatabaseFile, damaged: Int? = nil) {
        do {
            _ = try file.asksForLog()
            let verification = try file.verify(workers: 1)
            if let damaged {
                FuzzRun.require(
                    verification.damaged.contains(UInt32(damaged) + 1), "page \(damaged + 1) is damaged")
            }
            for usesDamaged in [false, true] {
                PageReaders(try SalvagePages(file, verification, usesDamaged: usesDamaged)).run()
            }
        } catch {
            FuzzRun.require(false, "pages are read whatever they hold (\(error))")
        }
    }
}
