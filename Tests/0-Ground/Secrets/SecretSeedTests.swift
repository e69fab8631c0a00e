import Testing
import ValiseSecrets

/// Many keys in few pieces of guarded memory.
struct SecretSeedTests {
    @Test func `each keeps its bytes, whoever comes and goes beside it`() throws {
        var seeds: [SecretSeed?] = []
        for number in 0..<3000 {
            seeds.append(try SecretSeed(copying: [UInt8](repeating: UInt8(number % 251), count: 32)))
        }
        for number in stride(from: 0, to: 3000, by: 3) { seeds[number] = nil }
        for _ in 0..<1500 { seeds.append(try SecretSeed()) }
        for number in 0..<3000 where number % 3 != 0 {
            seeds[number]?.withBytes { bytes in
                #expect(bytes.allSatisfy { $0 == UInt8(number % 251) })
            }
        }
    }

    @Test func `a place is empty for the next one`() throws {
        do { _ = try SecretSeed(copying: [UInt8](repeating: 7, count: 32)) }
        for _ in 0..<600 { _ = try SecretSeed { #expect($0.allSatisfy { $0 == 0 }) } }
    }

    @Test func `other lengths are refused, and nothing is printed`() throws {
        #expect(throws: SecretsError.self) { _ = try SecretSeed(copying: [UInt8](repeating: 0, count: 31)) }
        #expect("\(try SecretSeed())" == "<redacted>")
        #expect(try SecretSeed().equals(try SecretSeed()) == false)
    }
}
