import Foundation
import SystemPackage
import Testing
import ValiseFiles

struct BrokenPipeTests {
    /// In a process of a program that does not ignore the signal, as those are that use the library.
    @Test func `writing where nobody reads any more is an error, and not the end of the process`() throws {
        let (reading, writing) = try ChildProcess.pipe()
        defer { try? writing.close() }
        try reading.close()
        let before = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, before) }
        #expect(throws: Errno.brokenPipe) {
            try [1, 2, 3].withUnsafeBytes { _ = try writing.write($0) {} }
        }
    }
}
