import Fuzzing
import ValisePages

@testable import ValiseMaintenance

/// Salvage's readers over a database that is not encrypted.
enum PlainTarget {
    static func run(_ bytes: [UInt8]) {
        guard let pages = sound({ try PlaintextPages.open(MemorySource(bytes)) }), let pages else { return }
        PageReaders(pages).run()
    }

    /// Sources in memory do not fail, so nothing here has a reason to throw.
    static func sound<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            FuzzRun.require(false, "damage is passed over and not thrown (\(error))")
            return nil
        }
    }
}
