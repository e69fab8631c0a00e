import FaultInjection
import StoreContract
import Testing
import ValiseFiles
import ValiseStorage

/// The promises of a store, asked of each that needs no server.
struct StoreContractTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// A folder with nothing in it, not made yet.
    private func emptyFolder() -> FolderStore {
        FolderStore(folder.appending("repository \(UInt64.random(in: 0 ... .max))"))
    }

    @Test func `memory keeps the contract`() throws {
        try BlobStoreContract().check { MemoryStore() }
    }

    @Test func `a folder keeps the contract`() throws {
        try BlobStoreContract().check { emptyFolder() }
    }

    @Test func `a folder behind retries, a limit of bandwidth and a cache keeps the contract`() throws {
        let contract = BlobStoreContract(listedFiles: 200)
        let clock = StoppedClock().clock
        try contract.check { RetryingStore(emptyFolder(), clock: clock) }
        try contract.check {
            BandwidthLimitedStore(emptyFolder(), upload: 1_000_000, download: 1_000_000, clock: clock)
        }
        try contract.check { try cached(emptyFolder()) }
        try contract.check {
            try cached(
                RetryingStore(
                    BandwidthLimitedStore(emptyFolder(), upload: nil, download: nil), clock: clock))
        }
    }

    private func cached(_ store: any BlobStore) throws -> CachedStore {
        let repository = try digest(Array("\(store.location)".utf8))
        return try CachedStore(store, in: folder.appending("cache"), repository: repository) { error in
            Issue.record(error)
        }
    }

    @Test func `a request or an answer that is lost does not break the contract behind retries`() throws {
        let contract = BlobStoreContract(listedFiles: 10, threads: 2)
        let clock = StoppedClock().clock
        // None of the checks makes more calls.
        let last = 110
        for position in stride(from: FaultSweep.first(step: 4), through: last, by: FaultSweep.step(4)) {
            for fault in [
                FaultyStore.Fault.fail(FaultyStore.unreachable), .loseAnswer(FaultyStore.brokenAnswer),
            ] {
                try contract.check {
                    RetryingStore(FaultyStore(MemoryStore(), fault, at: position), clock: clock)
                }
            }
        }
    }

    // MARK: The contract itself

    @Test(arguments: BrokenStore.Defect.allCases)
    func `a store that breaks a promise is found`(defect: BrokenStore.Defect) throws {
        #expect(throws: ContractViolation.self) {
            try BlobStoreContract(listedFiles: 20, threads: 2).check { BrokenStore(MemoryStore(), defect) }
        }
    }

    @Test func `a store that fails is found, whichever call it is`() throws {
        let contract = BlobStoreContract(listedFiles: 10, threads: 1)
        for position in 2...20 {
            for fault in [FaultyStore.Fault.fail(FaultyStore.unreachable), .crash, .crashAfterwards] {
                #expect(throws: ContractViolation.self) {
                    try contract.check { FaultyStore(MemoryStore(), fault, at: position) }
                }
            }
        }
    }
}
