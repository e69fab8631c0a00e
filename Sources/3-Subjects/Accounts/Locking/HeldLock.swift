import SystemPackage
import ValiseFailures
import ValiseFiles

/// A lock that somebody else has at this moment.
struct HeldLock: Error {
    private let path: FilePath
    /// The process that has it; 0 where the system does not tell.
    private let holder: Int32

    private static let pause: Duration = .milliseconds(30)
    /// Where somebody is waited for, see ``AccountWaiting``.
    private static let longPause: Duration = .milliseconds(200)
    /// How often it is looked again for a holder that may be gone in a moment: for a second, and longer on a machine that is
    /// so busy that the holder needs longer, too.
    private static let mostLooks = 33

    init(_ path: FilePath, _ holder: Int32) {
        self.path = path
        self.holder = holder
    }

    /// Takes locks, and looks at least twice before somebody is named as their holder: a process that was just started by
    /// another thread shares them until it runs its own program, and one that was killed a moment ago may still have them.
    /// Who became a program between two looks, or since this one, is looked at again, too: it may have let go by that.
    ///
    /// - Throws: ``AccountError``: `inUse`; whatever `take` throws but this.
    static func lookingTwice<Lock>(_ fileSystem: FileSystem, _ take: () throws -> Lock) throws -> Lock {
        var (looks, mayHavePassed) = (0, true)
        while true {
            do {
                return try take()
            } catch let held as HeldLock {
                looks += 1
                let mayPass = looks < mostLooks && LockHolder.isTransient(held.holder, fileSystem)
                defer { mayHavePassed = mayPass }
                guard mayPass || mayHavePassed else {
                    let error = held.named(fileSystem)
                    guard try AccountWaiting.current?.mayLookAgain(error.holder ?? "") == true else {
                        // The time is over now, which the sentence says.
                        throw AccountWaiting.current == nil ? error : held.named(fileSystem)
                    }
                    FileSystem.wait(longPause)
                    continue
                }
                FileSystem.wait(pause)
            }
        }
    }

    private func named(_ fileSystem: FileSystem) -> AccountError {
        let name = LockHolder.describe(holder, fileSystem)
        let use = AccountWaiting.current?.passed.map { "still in use by \(name) after \($0)" }
        return AccountError(
            .inUse, "\(use ?? "in use by \(name)"). Nothing was changed.", path,
            holder: name, remedy: holder > 0 ? .waitFor(holder) : nil)
    }
}
