import Testing
import ValiseContainers
import ValiseFailures

/// libarchive, which is loaded when it is first needed.
struct ArchiveLibraryTests {
    #if os(macOS)
        private static let other = "/usr/lib/libz.1.dylib"
    #else
        private static let other = "libc.so.6"
    #endif

    @Test func `the library is there, and tells its version`() throws {
        #expect(try ArchiveLibrary.version().hasPrefix("3."))
    }

    @Test func `a missing library is an error that names it and what to install`() throws {
        let error = try #require(throws: ContainerError.self) {
            try ArchiveLibrary.tryLoading("libvalise-none.so.1")
        }
        #expect(error.code == .failed && error.defect == .noLibrary)
        #expect(error.remedy == .installLibarchive)
        let beginning = "cannot load libarchive, which tar, cpio and 7z archives need: "
        #expect(error.message.hasPrefix(beginning), "\(error.message)")
        #expect(error.message.contains("libvalise-none.so.1"), "\(error.message)")
        #expect(error.message.hasSuffix(". Nothing was changed."), "\(error.message)")
    }

    @Test func `a library without the functions is refused, and the first of them is named`() throws {
        let error = try #require(throws: ContainerError.self) { try ArchiveLibrary.tryLoading(Self.other) }
        #expect(error.defect == .noLibrary)
        #expect(error.message.contains("archive_version_string"), "\(error.message)")
        // What was loaded before goes on to be used.
        #expect(try ArchiveLibrary.version().hasPrefix("3."))
    }
}
