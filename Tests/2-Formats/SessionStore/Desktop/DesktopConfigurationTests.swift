import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// `config.json` of Desktop, which anybody may have written.
struct DesktopConfigurationTests {
    private func read(_ text: String) throws -> (key: String?, hasPassword: Bool) {
        let folder = try TemporaryFolder(inMemory: true)
        try TestFiles.write(text, to: folder.appending("config.json"))
        let configuration = try DesktopConfiguration.read(folder.appending("config.json"), FileSystem())
        let key: String? =
            switch configuration.key {
            case .some(let key): key.withBytes { Hexadecimal.encode($0) }
            case nil: nil
            }
        return (key, configuration.hasPassword)
    }

    private static let key = String(repeating: "0123456789abcdef", count: 4)

    @Test func `key and mark are read`() throws {
        #expect(try read("{\"key\": \"\(Self.key)\"}") == (Self.key, false))
        #expect(
            try read("{\"dbHasPassword\": true, \"key\": \"\(Self.key.uppercased())\"}") == (Self.key, true))
        #expect(try read("{}") == (nil, false))
        #expect(try read("{\"key\": null, \"dbHasPassword\": null}") == (nil, false))
        #expect(try read("{\"key\": \"\", \"dbHasPassword\": true}") == (nil, true))
        #expect(try read("{\"other\": \"\(Self.key)\", \"x\": [1, {\"key\": 2}]}") == (nil, false))
        // The last one of a name counts, as in JavaScript; names may be escaped.
        let other = String(repeating: "9", count: 64)
        #expect(try read("{\"key\": \"\(other)\", \"k\\u0065y\": \"\(Self.key)\"}") == (Self.key, false))
    }

    @Test(arguments: [
        "", "null", "[]", "\"key\"", "{", "{\"key\": \"\(key)\"", "{\"key\": \"\(key)\"} x", "{\"key\": 1}",
        "{\"key\": [\"\(key)\"]}", "{\"key\": \"\(key)0\"}", "{\"key\": \"\(key.dropLast())\"}",
        "{\"key\": \"\(key.dropLast())g\"}", "{\"key\": \" \(key)\"}", "{\"dbHasPassword\": 1}",
        "{\"dbHasPassword\": \"true\"}", "{\"key\": \(key)}",
        // Texts that say where a run of digits is.
        "{\"key\": \"\(String(repeating: "0", count: 62))9\\u0031\", \"other\": \"\(key)\"}",
        "{\"key\": \"+\(String(repeating: "0", count: 61))86\", \"other\": \"\(key)\"}",
        String(repeating: "[", count: 10_000), "{\"a\": \"\(String(repeating: "x", count: 70_000))\"}",
    ]) func `anything else is damage`(_ text: String) throws {
        let error = #expect(throws: SessionStoreError.self) { try read(text) }
        #expect(error?.kind == .damaged)
        // Nothing of a key is in an error.
        #expect(error.map { !"\($0)".contains("0123456789") } == true)
    }

    @Test func `a missing one is told`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let error = #expect(throws: SessionStoreError.self) {
            try DesktopConfiguration.read(folder.appending("config.json"), FileSystem()).hasPassword
        }
        #expect(error?.kind == .missing)
    }
}
