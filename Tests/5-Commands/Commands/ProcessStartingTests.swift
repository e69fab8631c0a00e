import Foundation
import TestPeers
import Testing

/// The tests' own way to start programs, many at the same time.
struct ProcessStartingTests {
    #if os(Linux)
        @Test func `a program inherits no pipe of another one`() async throws {
            let found = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask { try Program.run("/bin/ls", ["/proc/self/fd"]).output }
                }
                return try await group.reduce(into: Set<String>()) { found, output in
                    found.formUnion(output.split(separator: "\n").map(String.init))
                }
            }
            // The three of each program, and the folder that it lists.
            #expect(found.subtracting(["0", "1", "2", "3"]).isEmpty, "\(found.sorted())")
        }
    #endif
}
