import Foundation
import TestPeers
import Testing

/// The tests' own way to start programs, many at the same time.
struct ProcessStartingTests {
    #if os(Linux)
        @Test func `a program inherits no pipe of another one`() async throws {
            let found = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask { try Program.run("/bin/ls", ["-l", "/proc/self/fd"]).output }
                }
                return try await group.reduce(into: Set<String>()) { found, output in
                    found.formUnion(Self.inheritedPipes(output))
                }
            }
            #expect(found.isEmpty, "\(found.sorted())")
        }

        /// Of lines such as `l-wx------ 1 root root 64 Nov 27 08:00 1 -> pipe:[4711]`, those that are none of its own three.
        private static func inheritedPipes(_ list: String) -> [String] {
            // Foundation gives each process a socket of its own, by which it learns of its end.
            list.split(separator: "\n").map(String.init).filter {
                $0.contains("-> pipe:") && $0.firstMatch(of: #/ [012] -> /#) == nil
            }
        }
    #endif
}
