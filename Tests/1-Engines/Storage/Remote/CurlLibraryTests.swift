import Testing
import ValiseFailures
import ValiseStorage

/// libcurl, which is loaded when it is first needed.
struct CurlLibraryTests {
    #if os(macOS)
        private static let other = "/usr/lib/libz.1.dylib"
    #else
        private static let other = "libc.so.6"
    #endif

    @Test func `the library is there, and tells its version`() throws {
        let version = try CurlLibrary.version()
        #expect(version.hasPrefix("7.") || version.hasPrefix("8."), "\(version)")
    }

    @Test func `a missing library is an error that names it and what to install`() throws {
        let error = try #require(throws: StorageError.self) {
            try CurlLibrary.tryLoading("libvalise-none.so.1")
        }
        #expect(error.code == .failed && error.remedy == .installLibcurl && !error.isTransient)
        #expect(error.message.hasPrefix("cannot load libcurl, which backups on servers need: "), "\(error)")
        #expect(error.message.contains("libvalise-none.so.1"), "\(error)")
    }

    @Test func `a library without the functions is refused, and the first of them is named`() throws {
        let error = try #require(throws: StorageError.self) { try CurlLibrary.tryLoading(Self.other) }
        #expect(error.message.contains("curl_global_init"), "\(error)")
        // What was loaded before is still used.
        #expect(try !CurlLibrary.version().isEmpty)
    }
}
